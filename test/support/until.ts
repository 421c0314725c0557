/**
 * Waits until `condition` holds, for tests of other processes and of timers. Throws after the timeout. Each look costs
 * the service processor time, so the pauses grow with the wait.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** Ends what hangs, and is generous: a busy machine is many times slower. */
const DEFAULT_TIMEOUT_MS = 120_000;
const POLL_MS = 20;
/** The largest delay that the pauses add to a wait, as a share of it. */
const PAUSE_SHARE = 0.04;
const LONGEST_PAUSE_MS = 500;

export async function until(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, what = 'what the test waits for', everyMs = POLL_MS } = {},
): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > timeoutMs) throw new Error(`After ${timeoutMs} ms ${what} has not come`);
    await delay(Math.max(everyMs, Math.min(waitedMs * PAUSE_SHARE, LONGEST_PAUSE_MS)));
  }
}
