/** Keeps the log files of a local stack bounded: a full one becomes `<name>.1`, of which there is one. */
import { copyFileSync, statSync, truncateSync } from 'node:fs';

const LARGEST_BYTES = 20_000_000;

/** Copies and empties instead of renaming: a running process keeps appending to the file that it has open. */
export function rotateLog(path: string, largestBytes = LARGEST_BYTES): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= largestBytes) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}
