/**
 * The authentication server's public keys as an API process knows them: fetched when first needed, again for an unknown
 * key id but at most once per 10 s (so forged ids cannot make us a hammer), and each minute so that withdrawn keys go.
 * While the authentication server is away, the keys already known keep serving; a key that is not known cannot be judged.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export interface KeySetOptions {
  /** Gets the current key set; throws when it cannot. */
  readonly fetchKeys: () => Promise<JSONWebKeySet>;
  readonly now?: () => number;
}

const UNKNOWN_KEY_PAUSE_MS = 10_000;
/** In the background of a request. A withdrawn key is believed for about so long. */
const REFRESH_MS = 60_000;
/** Where no request has come for so long, the first one waits: what was withdrawn meanwhile is not believed once more. */
const TOO_OLD_MS = 2 * REFRESH_MS;

export class KeySet {
  readonly #fetchKeys: () => Promise<JSONWebKeySet>;
  readonly #now: () => number;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  /** Of the last attempt to fetch, while that failed. */
  #failure: { readonly cause: unknown } | undefined;
  #running: Promise<void> | undefined;

  constructor(options: KeySetOptions) {
    this.#fetchKeys = options.fetchKeys;
    this.#now = options.now ?? Date.now;
  }

  readonly getKey: JWTVerifyGetKey = async (header, token) => {
    // Without an id any single key would match.
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
      // The key may be a new one: only the authentication server can tell.
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
      // With keys in hand the next attempt waits for the pause to end; without any, nobody can be let in.
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
    // Caches on the way may keep it for minutes: an unknown key could not be found by asking again.
    const response = await fetch(url, { redirect: 'error', cache: 'no-store', signal });
    if (response.status !== 200) throw new Error(`The key set was answered with status ${response.status}`);
    return (await response.json()) as JSONWebKeySet;
  };
}
