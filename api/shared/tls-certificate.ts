/**
 * The certificate that a process serves TLS with, read from the files of `TLS_CERT_FILE` and `TLS_KEY_FILE` and read again when they have
 * changed. Only what fits together is taken: files that are being replaced, or broken, leave the certificate before in use. Callers: the
 * configuration of doors, which loads it, and `serve`, which uses it. Never logs what the files hold.
 */
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConfigError } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';

export interface TlsFiles {
  /** PEM: the certificate, then those that lead to its authority. */
  readonly certFile: string;
  /** PEM, without a passphrase. */
  readonly keyFile: string;
}

interface Loaded {
  readonly options: SecureContextOptions;
  readonly validTo: Date;
  readonly contentHash: string;
}

export class TlsCertificate {
  readonly #files: TlsFiles;
  #loaded: Loaded;
  /** What was wrong with the files the last time, so that it is logged once. */
  #problem: string | undefined;

  /** Throws {@link ConfigError}: without a certificate nothing can be served. */
  constructor(files: TlsFiles) {
    this.#files = files;
    this.#loaded = load(files);
  }

  get options(): SecureContextOptions {
    return this.#loaded.options;
  }

  get validTo(): Date {
    return this.#loaded.validTo;
  }

  /** Reads the files again; true when there is another certificate or key to use. Never throws. */
  refresh(log: Logger): boolean {
    try {
      const loaded = load(this.#files);
      this.#problem = undefined;
      if (loaded.contentHash === this.#loaded.contentHash) return false;
      this.#loaded = loaded;
      return true;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.#problem) log.error({ problem }, 'the TLS certificate before stays in use');
      this.#problem = problem;
      return false;
    }
  }
}

function load({ certFile, keyFile }: TlsFiles): Loaded {
  const cert = read('TLS_CERT_FILE', certFile);
  const key = read('TLS_KEY_FILE', keyFile);
  const leaf = parse('TLS_CERT_FILE', 'is no certificate in PEM', () => new X509Certificate(cert));
  const privateKey = parse('TLS_KEY_FILE', 'is no private key in PEM without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!leaf.checkPrivateKey(privateKey)) throw problem('TLS_KEY_FILE', 'is not the key of the certificate');
  // All that is given with each new context: what is left out would fall back to Node's own choice.
  const options: SecureContextOptions = { cert, key, minVersion: 'TLSv1.2' };
  parse('TLS_CERT_FILE', 'is not usable for TLS', () => createSecureContext(options));
  const contentHash = createHash('sha256').update(cert).update('\0').update(key).digest('base64');
  return { options, validTo: new Date(leaf.validTo), contentHash };
}

function read(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw problem(variable, `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

/** Without the cause: OpenSSL's texts say nothing that an operator could use, and nothing of a key shall get into a log. */
function parse<Result>(variable: string, fault: string, work: () => Result): Result {
  try {
    return work();
  } catch {
    throw problem(variable, fault);
  }
}

function problem(variable: string, fault: string): ConfigError {
  return new ConfigError([`${variable}: ${fault}`]);
}
