/** Waits for something to become true, for tests of things that happen elsewhere. Fails when it does not come. */
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

export async function until(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs = 20_000, what = 'what the test waits for' } = {},
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`After ${timeoutMs} ms ${what} has not come`);
    await delay(POLL_MS);
  }
}
