/** Reads what another process writes, until it is as wanted: often at first, then seldom. Callers: areas that wait for an outcome. */
import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** What was read last, as wanted or after `waitsMs`. */
export async function readUntil<T>(
  read: () => Promise<T>,
  isWanted: (found: T) => boolean,
  waitsMs: number,
): Promise<T> {
  const until = Date.now() + waitsMs;
  let found = await read();
  for (let pauseMs = FIRST_PAUSE_MS; !isWanted(found); pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const leftMs = until - Date.now();
    if (leftMs <= 0) break;
    await pause(Math.min(pauseMs, leftMs));
    found = await read();
  }
  return found;
}
