/** Runs a task over and over, never two at once; what it throws is logged and tried again at the next turn. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../activities/shared/log.ts';

export interface Repetition {
  /** Resolves when the turn under way has ended. */
  stop(): Promise<void>;
}

export function repeat(name: string, everyMs: number, log: Logger, task: () => Promise<void>): Repetition {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await task();
      } catch (error) {
        log.warn({ err: error, task: name }, 'failed, tried again at its next turn');
      }
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
