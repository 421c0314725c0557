/**
 * A temporary profile as its workflow sees it: how it stood when last looked at, whether there is news since, and how it
 * ended. The database decides; this remembers. Pure: knows no clock and nothing of Temporal.
 */
import type { ProfileStanding } from '../activities.ts';
import type { ConversionOutcome, TemporaryProfileResult } from '../messages.ts';

/** A clock that is behind ours says "not yet" to what is due: it is asked again after this. */
const ASKED_AGAIN_MS = 1_000;

export class ProfileLife {
  #news = 0;
  #seen = 0;
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

  /** Somebody has written something: look. */
  tell(): void {
    this.#news += 1;
  }

  /** How many times it was told; for the length of a run. */
  get told(): number {
    return this.#news;
  }

  get hasNews(): boolean {
    return this.#news !== this.#seen;
  }

  /** Before the look, so that what comes during it is not taken for seen. */
  beginLook(): void {
    this.#seen = this.#news;
    this.#askAgain = false;
  }

  see(standing: ProfileStanding): void {
    if (standing.state === 'TEMPORARY') this.#expiresAtMs = standing.expiresAtMs;
    else this.#end(standing.state === 'PERMANENT' ? 'CONVERTED' : 'EXPIRED');
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
    // Whether it has expired, or was deleted, is for the next look.
    if (outcome === 'EXPIRED') this.tell();
  }

  /** How long nothing is to be done unless somebody tells. */
  restMs(nowMs: number): number {
    if (this.#askAgain) return ASKED_AGAIN_MS;
    return Math.max(0, (this.#expiresAtMs ?? nowMs) - nowMs);
  }

  /** The first end holds. */
  #end(how: TemporaryProfileResult['ended']): void {
    this.#ended ??= how;
  }
}
