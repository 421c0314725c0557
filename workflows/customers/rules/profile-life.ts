/**
 * A temporary profile as its workflow knows it: its state when last read, whether messages came since, and how it ended. The
 * database decides; this remembers. Pure: no clock, nothing of Temporal.
 */
import type { ProfileExpiry } from '../activities.ts';
import type { ConversionOutcome, TemporaryProfileResult } from '../messages.ts';

/** When the database's clock is behind ours it refuses to expire what is due: ask again after this. */
const ASKED_AGAIN_MS = 1_000;

export class ProfileLife {
  #messages = 0;
  #messagesRead = 0;
  #expiresAtMs: number | undefined;
  #askAgain = false;
  #expiredByDate = false;
  #ended: TemporaryProfileResult['ended'] | undefined;

  get ended(): TemporaryProfileResult['ended'] | undefined {
    return this.#ended;
  }

  /** Where the date ended it: since when it is to be erased. */
  get dueSince(): { readonly dueAtMs?: number } {
    return this.#expiredByDate && this.#expiresAtMs !== undefined ? { dueAtMs: this.#expiresAtMs } : {};
  }

  /** The profile was changed in the database: read it again. */
  messageArrived(): void {
    this.#messages += 1;
  }

  /** All messages of this run, which bound its length. */
  get messages(): number {
    return this.#messages;
  }

  get hasUnreadMessages(): boolean {
    return this.#messages !== this.#messagesRead;
  }

  /** Before the read: a message that arrives during it counts as unread. */
  beginRead(): void {
    this.#messagesRead = this.#messages;
    this.#askAgain = false;
  }

  stateRead(profile: ProfileExpiry): void {
    if (profile.state === 'TEMPORARY') this.#expiresAtMs = profile.expiresAtMs;
    else this.#end(profile.state === 'PERMANENT' ? 'CONVERTED' : 'EXPIRED');
  }

  isDue(nowMs: number): boolean {
    return this.#ended === undefined && this.#expiresAtMs !== undefined && this.#expiresAtMs <= nowMs;
  }

  expiryAnswered(answer: 'EXPIRED' | 'NOT_YET' | 'PERMANENT' | 'GONE'): void {
    this.#expiredByDate = answer === 'EXPIRED';
    if (answer === 'NOT_YET') this.#askAgain = true;
    else this.#end(answer === 'PERMANENT' ? 'CONVERTED' : 'EXPIRED');
  }

  conversionAnswered(outcome: ConversionOutcome): void {
    if (outcome === 'CONVERTED' || outcome === 'PERMANENT') this.#end('CONVERTED');
    // The next read tells an expired profile from a deleted one.
    if (outcome === 'EXPIRED') this.messageArrived();
  }

  /** How long to sleep unless a message arrives. */
  restMs(nowMs: number): number {
    if (this.#askAgain) return ASKED_AGAIN_MS;
    return Math.max(0, (this.#expiresAtMs ?? nowMs) - nowMs);
  }

  /** The first end holds. */
  #end(how: TemporaryProfileResult['ended']): void {
    this.#ended ??= how;
  }
}
