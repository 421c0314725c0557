/** Repeats a task, never two runs at once. An error is logged, and the next turn tries again. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';

export interface Repetition {
  /** Resolves when the turn in progress has ended. */
  stop(): Promise<void>;
}

/** Counts turns. */
export interface TurnMeter {
  /** The meter of this task: called with the outcome of each turn. */
  turnsOf(task: string): (outcome: 'ok' | 'failed') => void;
}

/** Resources of a process for all its repeated tasks. */
export interface Repeating {
  readonly log: Logger;
  readonly turns: TurnMeter;
}

export interface RepeatedTask {
  /** Label of its metrics, unique in the service. */
  readonly name: string;
  /** From the end of a turn to the next. */
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

export function repeat(
  name: string,
  everyMs: number,
  { log, turns }: Repeating,
  task: () => Promise<void>,
): Repetition {
  const stopping = new AbortController();
  const turnEnded = turns.turnsOf(name);
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await task();
        turnEnded('ok');
      } catch (error) {
        turnEnded('failed');
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
