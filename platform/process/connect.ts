/** Connects to the servers a worker needs, waiting for those that are not up yet instead of giving in. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { UnfinishedRestore } from '../mongo/restore-mark.ts';

const PAUSE_MS = 1_000;

/** Repeats `connect` until it succeeds; a restore that is not finished ends the start. A supervisor that wants the process gone kills it meanwhile. */
export async function connectPatiently<T>(name: string, log: Logger, connect: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (error instanceof UnfinishedRestore) throw error;
      log.warn({ err: error, dependency: name }, 'not reachable yet');
      await delay(PAUSE_MS);
    }
  }
}
