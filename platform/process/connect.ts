/** Connects to the servers that a worker needs, and waits for those that are not up yet. */
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../config.ts';
import type { Logger } from '../log.ts';
import { UnfinishedRestore } from '../mongo/restore-mark.ts';

const PAUSE_MS = 1_000;

/**
 * Repeats `connect` until it succeeds. An unfinished restore or a wrong configuration makes it throw instead: waiting
 * cures neither. A supervisor may kill the process at any time.
 */
export async function connectPatiently<T>(name: string, log: Logger, connect: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (error instanceof UnfinishedRestore || error instanceof ConfigError) throw error;
      log.warn({ err: error, dependency: name }, 'not reachable yet');
      await delay(PAUSE_MS);
    }
  }
}
