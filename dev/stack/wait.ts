/** Waits until a started process answers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from './children.ts';

const LOOK_MS = 50;

/** Repeats `check` until it passes. Throws with the process's last lines if it ends first, or after `timeoutMs`. */
export async function waitUntilReady(
  child: Child,
  check: () => Promise<void>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < deadline && child.isRunning() && !signal?.aborted) {
    try {
      await check();
      return;
    } catch (error) {
      last = error;
      await delay(LOOK_MS);
    }
  }
  signal?.throwIfAborted();
  const why = child.isRunning() ? `is not ready after ${timeoutMs / 1000} s (${String(last)})` : 'ended while starting';
  throw new Error(`${child.name} ${why}. Its last lines:\n${child.lastLines()}`);
}
