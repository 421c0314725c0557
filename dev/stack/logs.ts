/** Bounds the log files of a local stack. A full file becomes `<name>.1`, which replaces the previous one. */
import { copyFileSync, statSync, truncateSync } from 'node:fs';

const LARGEST_BYTES = 20_000_000;

/** Copies and empties the file instead of renaming it, because the running process keeps it open. */
export function rotateLog(path: string, largestBytes = LARGEST_BYTES): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= largestBytes) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}
