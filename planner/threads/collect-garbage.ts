/**
 * Frees what a snapshot that was replaced still holds. Shared memory counts for nothing in V8's reckoning of when to collect, so
 * a process with little to do would keep every snapshot it ever had. Called once a change, in each thread that had it open.
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
