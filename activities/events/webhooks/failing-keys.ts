/**
 * When a failing key is tried again, and what becomes of it after 72 hours. Pure.
 *
 * A key stops alone as long as the webhook has had deliveries of other keys meanwhile. A webhook without any is disabled.
 */
import type { FailingKey, WebhookProgress } from './webhook-document.ts';

export const FIRST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 3_600_000;
export const TRIED_FOR_MS = 72 * 3_600_000;
/**
 * With so many, and no delivery within a day, new events wait for one of them: a receiver that is down is not tried with each
 * of its keys.
 */
export const MAX_FAILING = 100;
/** A day: some organisations have events by day alone, and their receiver must not count as down in the morning. */
export const DELIVERED_LATELY_MS = 24 * 3_600_000;
/** With so many, new events wait in any case, also when they are of keys that only wait: the document stays small. */
export const MAX_KEPT = 500;
/** With more, the webhook is disabled, though others are delivered: the document stays small. */
export const MAX_STOPPED = 500;

/** 1 s, 2 s, 4 s, …, an hour; `chance` (0 to 1) spreads the attempts over the last fifth of a pause. */
export function pauseAfter(attempts: number, chance: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return pause * (1 - 0.2 * chance);
}

export type FailedKey = Pick<FailingKey, 'topic' | 'key' | 'offset'> & Partial<FailingKey>;

/** What a failed attempt makes of a key. */
export function afterFailure(
  before: FailedKey,
  { lastDeliveredAt }: Pick<WebhookProgress, 'lastDeliveredAt'>,
  at: Date,
  chance: number,
): { readonly key: FailingKey; readonly disables: boolean } {
  const { topic, key, offset, since = at } = before;
  const attempts = (before.attempts ?? 0) + 1;
  const next = {
    topic,
    key,
    offset,
    since,
    attempts,
    nextAttemptAt: new Date(at.getTime() + pauseAfter(attempts, chance)),
  };
  if (at.getTime() - since.getTime() < TRIED_FOR_MS) return { key: next, disables: false };
  const others = lastDeliveredAt !== undefined && lastDeliveredAt > since;
  return others ? { key: { ...next, stopped: true }, disables: false } : { key: next, disables: true };
}

/** Whether further events may be dispatched. A key that only waits for another (no attempt) is no sign of a receiver's fault. */
export function mayReadOn(
  failing: readonly FailingKey[],
  { lastDeliveredAt }: Pick<WebhookProgress, 'lastDeliveredAt'>,
  at: Date,
): boolean {
  const kept = failing.filter(({ stopped }) => !stopped);
  if (kept.length >= MAX_KEPT) return false;
  if (kept.filter(({ attempts }) => attempts > 0).length < MAX_FAILING) return true;
  return lastDeliveredAt !== undefined && at.getTime() - lastDeliveredAt.getTime() < DELIVERED_LATELY_MS;
}
