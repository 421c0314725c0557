/**
 * Frees the memory of a replaced snapshot. V8 does not count shared memory when it decides to collect, so an idle
 * process would keep every snapshot. Each thread that had the snapshot open calls it once per change.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
