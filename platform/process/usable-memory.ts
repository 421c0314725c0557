/** How much memory this process may use. Callers: processes that derive limits from it. */
import { totalmem } from 'node:os';

/** The limit of its container; without one half of the machine, which others use too. */
export function usableMemoryBytes(): number {
  const limit = process.constrainedMemory();
  // 0, or more than there is, where nothing limits the process.
  return limit > 0 && limit < totalmem() ? limit : Math.floor(totalmem() / 2);
}
