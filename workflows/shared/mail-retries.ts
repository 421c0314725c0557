/** When a mail that did not arrive is tried again. Pure. */
const MINUTE_MS = 60_000;
const MOST_MS = 60 * MINUTE_MS;
/** From the first attempt. */
export const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE_MS;

/** Undefined: it is given up. Waits one minute, then twice as long each time, an hour at most. `attempts` counts from 1. */
export function nextTryAt(firstTriedAt: Date, attempts: number, now: Date): Date | undefined {
  const at = now.getTime() + Math.min(MINUTE_MS * 2 ** (attempts - 1), MOST_MS);
  const end = firstTriedAt.getTime() + GIVEN_UP_AFTER_MS;
  if (now.getTime() >= end) return undefined;
  return new Date(Math.min(at, end));
}
