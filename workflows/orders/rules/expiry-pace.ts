/** How often an expiry looks again while it waits for transactions. Pure. */
const OFTEN_FOR_MS = 15 * 60_000;
const OFTEN_MS = 5_000;
const RARELY_MS = 60_000;

/** Some ten events each: a run of so many is replayed within a second. */
export const ROUNDS_OF_A_RUN = 300;

/** Most outcomes are known within minutes. */
export function pauseMs(waitedMs: number): number {
  return waitedMs < OFTEN_FOR_MS ? OFTEN_MS : RARELY_MS;
}
