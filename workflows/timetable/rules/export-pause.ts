/** How long to wait before a private export that came to nothing is tried again. Pure. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A minute, doubled up to an hour: a newer build of the service, or a mended server, may cure it. `tries` from 1. */
export function pauseBeforeNextExport(tries: number): number {
  return Math.min(HOUR_MS, MINUTE_MS * 2 ** (tries - 1));
}
