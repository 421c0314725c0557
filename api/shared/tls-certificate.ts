/**
 * The TLS certificate of a process, from the files of `TLS_CERT_FILE` and `TLS_KEY_FILE`. Reads changed files again;
 * while they are broken or do not fit together, the earlier certificate stays in use. Loaded by http-server-options.ts,
 * used by `serve`. Never logs contents of the files.
 */
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConfigError } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';

export interface TlsFiles {
  /** PEM: the certificate, followed by its chain of authorities. */
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
  /** The last fault of the files, so that each fault is logged once. */
  #problem: string | undefined;

  /** Throws {@link ConfigError}: without a certificate the process cannot start. */
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

  /** Reads the files again; true when the certificate or key has changed. Never throws. */
  refresh(log: Logger): boolean {
    try {
      const loaded = load(this.#files);
      this.#problem = undefined;
      if (loaded.contentHash === this.#loaded.contentHash) return false;
      this.#loaded = loaded;
      return true;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.#problem)
        log.error({ problem }, 'the TLS files are not usable: the earlier certificate stays in use');
      this.#problem = problem;
      return false;
    }
  }
}

function load({ certFile, keyFile }: TlsFiles): Loaded {
  const cert = read('TLS_CERT_FILE', certFile);
  const key = read('TLS_KEY_FILE', keyFile);
  const leaf = parse('TLS_CERT_FILE', 'is not a certificate in PEM', () => new X509Certificate(cert));
  const privateKey = parse('TLS_KEY_FILE', 'is not a private key in PEM without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!leaf.checkPrivateKey(privateKey)) throw problem('TLS_KEY_FILE', 'is not the key of the certificate');
  // setSecureContext resets every option that is missing here to Node's default.
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

/** Drops the cause: OpenSSL's texts do not help an operator, and could carry parts of a key into the log. */
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
