/**
 * The key that an auth process signs with. It reads it every few seconds, so it follows a rotation without a pause. It
 * never signs with a key that it last saw as SIGNING over half a minute ago, since that key may be withdrawn soon. Then
 * it answers 503, as it does while the database is unavailable.
 */

import type { Logger } from '../../platform/log.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { SigningKey, SigningKeyStore } from './signing-key-store.ts';
import { CONFIRMED_FOR_MS, FOLLOW_EVERY_MS } from './signing-key-times.ts';

export interface FollowerOptions {
  readonly keys: Pick<SigningKeyStore, 'adoptSigningKey' | 'findSigningKid'>;
  /** Lifetime of the tokens that this process issues. */
  readonly lifetimeSeconds: number;
  readonly log: Logger;
  readonly everyMs?: number;
  /** A monotonic clock that also runs while the process is suspended. */
  readonly nowMs?: () => number;
}

export class SigningKeyFollower {
  readonly #options: FollowerOptions;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;
  #key: SigningKey;
  #confirmedAtMs: number;
  #looking: Promise<void> | undefined;

  /** Rejects when there is no key: a process without one is of no use. */
  static async start(options: FollowerOptions): Promise<SigningKeyFollower> {
    const askedAtMs = (options.nowMs ?? Date.now)();
    return new SigningKeyFollower(options, await options.keys.adoptSigningKey(options.lifetimeSeconds), askedAtMs);
  }

  private constructor(options: FollowerOptions, key: SigningKey, confirmedAtMs: number) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#key = key;
    this.#confirmedAtMs = confirmedAtMs;
    this.#timer = setInterval(() => this.#tryToLook(), options.everyMs ?? FOLLOW_EVERY_MS).unref();
  }

  /** The key to sign with now. Rejects with UNAVAILABLE when no key is confirmed. */
  readonly current = async (): Promise<SigningKey> => {
    if (!this.#isConfirmed()) await this.look().catch((error: unknown) => this.#note(error));
    if (this.#isConfirmed()) return this.#key;
    throw new ServiceError('UNAVAILABLE', 'No token can be issued at the moment. Try again shortly.', {
      headers: { 'retry-after': '2' },
    });
  };

  /** Reads now, or joins the read in progress. */
  async look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking?.catch(() => {});
  }

  #isConfirmed(): boolean {
    return this.#nowMs() - this.#confirmedAtMs < CONFIRMED_FOR_MS;
  }

  #tryToLook(): void {
    this.look().catch((error: unknown) => this.#note(error));
  }

  async #look(): Promise<void> {
    const { keys, lifetimeSeconds, log } = this.#options;
    const askedAtMs = this.#nowMs();
    if ((await keys.findSigningKid()) !== this.#key.kid) {
      this.#key = await keys.adoptSigningKey(lifetimeSeconds);
      log.info({ kid: this.#key.kid }, 'signs with another key');
    }
    this.#confirmedAtMs = askedAtMs;
  }

  #note(error: unknown): void {
    this.#options.log.warn({ err: error }, 'could not look which key signs');
  }
}
