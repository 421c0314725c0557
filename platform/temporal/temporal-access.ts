/**
 * Proves to Temporal which process this is. It has a TLS certificate of its own, and a token that gives it its role in
 * the namespace. Callers: every connection to Temporal. Without these settings, connections are plain: development.
 *
 * The token is read again when its file changes. The certificate is read at each new connection of workers, and once by
 * a client: after renewing it, restart the process. Never logs a key or a token.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/client';
import { ConfigError } from '../config.ts';

export interface TemporalAccessConfig {
  readonly TEMPORAL_TLS_CA_FILE?: string | undefined;
  readonly TEMPORAL_TLS_CERT_FILE?: string | undefined;
  readonly TEMPORAL_TLS_KEY_FILE?: string | undefined;
  readonly TEMPORAL_TLS_SERVER_NAME?: string | undefined;
  readonly TEMPORAL_AUTH_TOKEN_FILE?: string | undefined;
}

type Setting = keyof TemporalAccessConfig;

/** A token that was replaced is in use after this time. */
const TOKEN_AGE_MS = 1_000;

export class TemporalAccess {
  readonly #config: TemporalAccessConfig;
  #token: string | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  /** Throws {@link ConfigError} for settings that do not fit together, and for files that are missing or unusable. */
  constructor(config: TemporalAccessConfig) {
    this.#config = config;
    const { TEMPORAL_TLS_CA_FILE: ca, TEMPORAL_TLS_CERT_FILE: cert, TEMPORAL_TLS_KEY_FILE: key } = config;
    if ((cert === undefined) !== (key === undefined)) {
      throw problem(
        cert === undefined ? 'TEMPORAL_TLS_CERT_FILE' : 'TEMPORAL_TLS_KEY_FILE',
        'is missing beside the other',
      );
    }
    for (const name of ['TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_SERVER_NAME', 'TEMPORAL_AUTH_TOKEN_FILE'] as const) {
      if (config[name] !== undefined && ca === undefined) throw problem(name, 'needs TEMPORAL_TLS_CA_FILE');
    }
    this.readTls();
    if (config.TEMPORAL_AUTH_TOKEN_FILE !== undefined) this.#token = readToken(config.TEMPORAL_AUTH_TOKEN_FILE);
  }

  /** Reads the files. Undefined: plain connections. */
  readTls(): TLSConfig | undefined {
    const {
      TEMPORAL_TLS_CA_FILE: ca,
      TEMPORAL_TLS_CERT_FILE: cert,
      TEMPORAL_TLS_KEY_FILE: key,
      TEMPORAL_TLS_SERVER_NAME: serverName,
    } = this.#config;
    if (ca === undefined) return undefined;
    const authority = readPart('TEMPORAL_TLS_CA_FILE', ca, certificateOf);
    return {
      serverRootCACertificate: authority,
      ...(serverName !== undefined && { serverNameOverride: serverName }),
      ...(cert !== undefined && key !== undefined && { clientCertPair: readPair(cert, key) }),
    };
  }

  get hasToken(): boolean {
    return this.#token !== undefined;
  }

  /** At most a second old. While the file is unreadable or empty, the token before. */
  readonly token = (): string => {
    const { TEMPORAL_AUTH_TOKEN_FILE: file } = this.#config;
    if (file !== undefined && performance.now() - this.#readAt >= TOKEN_AGE_MS) {
      this.#readAt = performance.now();
      try {
        this.#token = readToken(file);
      } catch {
        // The server refuses a token that has expired meanwhile.
      }
    }
    return this.#token ?? '';
  };
}

function readToken(file: string): string {
  return readPart('TEMPORAL_AUTH_TOKEN_FILE', file, (content) => {
    const token = content.toString().trim();
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw new Error('no token');
    return token;
  });
}

function readPair(certFile: string, keyFile: string) {
  const crt = readPart('TEMPORAL_TLS_CERT_FILE', certFile, certificateOf);
  const key = readPart('TEMPORAL_TLS_KEY_FILE', keyFile, (content) => {
    if (!new X509Certificate(crt).checkPrivateKey(createPrivateKey(content))) throw new Error('another key');
    return content;
  });
  return { crt, key };
}

function certificateOf(content: Buffer): Buffer {
  new X509Certificate(content);
  return content;
}

/** Drops the cause: its text could carry parts of a key or token into the log. */
function readPart<Part>(setting: Setting, file: string, parse: (content: Buffer) => Part): Part {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    throw problem(setting, `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  try {
    return parse(content);
  } catch {
    const wanted = {
      TEMPORAL_TLS_CA_FILE: 'a certificate in PEM',
      TEMPORAL_TLS_CERT_FILE: 'a certificate in PEM',
      TEMPORAL_TLS_KEY_FILE: 'the key of the certificate in PEM, without a passphrase',
      TEMPORAL_TLS_SERVER_NAME: 'a name',
      TEMPORAL_AUTH_TOKEN_FILE: 'a JSON Web Token',
    };
    throw problem(setting, `the file does not hold ${wanted[setting]}`);
  }
}

function problem(setting: Setting, fault: string): ConfigError {
  return new ConfigError([`${setting}: ${fault}`]);
}
