/**
 * Cache of the authentication server's public keys. Fetches them on first use, every minute so that withdrawn keys go,
 * and for an unknown key id. The last happens at most every 10 s, because forged ids must not cause load. While the
 * authentication server is unavailable, known keys stay in use and a token with an unknown key gets 503.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export interface KeySetOptions {
  /** Gets the current key set. Throws when the authentication server does not answer. */
  readonly fetchKeys: () => Promise<JSONWebKeySet>;
  readonly now?: () => number;
}

const UNKNOWN_KEY_PAUSE_MS = 10_000;
/** Refreshes in the background of a request. A withdrawn key stays trusted for about this time. */
const REFRESH_MS = 60_000;
/**
 * After a longer pause without requests the first one waits for the refresh, so that a withdrawn key is not trusted
 * once more.
 */
const TOO_OLD_MS = 2 * REFRESH_MS;

export class KeySet {
  readonly #fetchKeys: () => Promise<JSONWebKeySet>;
  readonly #now: () => number;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  /** Set while the last attempt to fetch has failed. */
  #failure: { readonly cause: unknown } | undefined;
  #running: Promise<void> | undefined;

  constructor(options: KeySetOptions) {
    this.#fetchKeys = options.fetchKeys;
    this.#now = options.now ?? Date.now;
  }

  readonly getKey: JWTVerifyGetKey = async (header, token) => {
    // The library would accept any single key for a token without a key id.
    if (typeof header.kid !== 'string') throw new errors.JWSInvalid('the header has no key id');
    if (!this.#keys || this.#ageMs() > TOO_OLD_MS) await this.#refresh();
    else if (this.#ageMs() > REFRESH_MS) this.#refresh().catch(() => {});
    try {
      return await this.#lookUp(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    if (this.#ageMs() >= UNKNOWN_KEY_PAUSE_MS) await this.#refresh();
    try {
      return await this.#lookUp(header, token);
    } catch (error) {
      // The key may be new, and only the authentication server knows.
      if (error instanceof errors.JWKSNoMatchingKey && this.#failure) throw unavailable(this.#failure.cause);
      throw error;
    }
  };

  async #lookUp(...[header, token]: Parameters<JWTVerifyGetKey>): Promise<Awaited<ReturnType<JWTVerifyGetKey>>> {
    if (!this.#keys) throw new Error('The key set has not been fetched');
    return await this.#keys(header, token);
  }

  #ageMs(): number {
    return this.#now() - this.#fetchedAt;
  }

  async #refresh(): Promise<void> {
    this.#running ??= this.#fetch().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #fetch(): Promise<void> {
    const triedAt = this.#now();
    try {
      this.#keys = createLocalJWKSet(await this.#fetchKeys());
      this.#failure = undefined;
    } catch (cause) {
      this.#failure = { cause };
      // With known keys the next attempt waits for the pause. Without any, no token can be checked.
      if (!this.#keys) throw unavailable(cause);
    }
    this.#fetchedAt = triedAt;
  }
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Access tokens cannot be checked at the moment. Try again shortly.', {
    cause,
    headers: { 'retry-after': '2' },
  });
}

const FETCH_TIMEOUT_MS = 5_000;

/** Reads `/.well-known/jwks.json` of the issuer. */
export function remoteKeys(issuer: string): () => Promise<JSONWebKeySet> {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/jwks.json`);
  return async () => {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    // A cached answer could be minutes old and lack a new key.
    const response = await fetch(url, { redirect: 'error', cache: 'no-store', signal });
    if (response.status !== 200) throw new Error(`The key set was answered with status ${response.status}`);
    return (await response.json()) as JSONWebKeySet;
  };
}
