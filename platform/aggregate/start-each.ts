/** Starts workflows for many documents, some at a time. Callers: sweeps. */
import type { Logger } from '../log.ts';

export interface StartFailures<Item> {
  readonly log: Logger;
  /** Ids for the log; no personal data. */
  readonly describe: (item: Item) => Readonly<Record<string, unknown>>;
}

const STARTED_AT_ONCE = 10;
/** Failures in one list. More of them mean that Temporal or a database is unavailable. */
const TOLERATED_FAILURES = 5;

/** A failed start does not delay the others: the next turn repeats it. Throws after too many failures. */
export async function startEach<Item>(
  items: readonly Item[],
  { log, describe }: StartFailures<Item>,
  start: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let failures = 0;
  // All share one iterator, so each item is taken once.
  const takeTurns = async () => {
    for (const item of waiting) {
      if (failures > TOLERATED_FAILURES) return;
      try {
        await start(item);
      } catch (error) {
        failures += 1;
        if (failures > TOLERATED_FAILURES) throw error;
        log.warn({ ...describe(item), err: error }, 'a workflow could not be started; the next sweep tries again');
      }
    }
  };
  // Waits for the starts in progress before it throws: the caller may close the client then.
  const turns = await Promise.allSettled(Array.from({ length: STARTED_AT_ONCE }, takeTurns));
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason;
}
