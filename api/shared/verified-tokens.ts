/**
 * Cache of tokens that passed the check, so that the next requests of a caller cost a hash instead of RSA. Keeps a bounded number
 * of hashes, never a token. The token check still asks each time whether the client is disabled.
 */
import { hash } from 'node:crypto';
import type { Caller } from './operation.ts';

/** A signing key withdrawn in an emergency stays trusted for this time. */
const KEPT_MS = 60_000;
/** About 1 KiB each. More than the clients that one process serves in a minute. */
const MOST_TOKENS = 10_000;

interface Kept {
  readonly caller: Caller;
  readonly untilMs: number;
}

export class VerifiedTokens {
  readonly #kept = new Map<string, Kept>();

  find(token: string, nowMs: number): Caller | undefined {
    const key = hash('sha256', token, 'base64url');
    const found = this.#kept.get(key);
    if (found === undefined || nowMs < found.untilMs) return found?.caller;
    this.#kept.delete(key);
    return undefined;
  }

  keep(token: string, caller: Caller, nowMs: number): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < MOST_TOKENS) break;
      this.#kept.delete(oldest);
    }
    const untilMs = Math.min(caller.tokenExpiresAtMs, nowMs + KEPT_MS);
    this.#kept.set(hash('sha256', token, 'base64url'), { caller, untilMs });
  }

  get size(): number {
    return this.#kept.size;
  }
}
