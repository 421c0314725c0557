/** Runs a task over and over, never two at once; what it throws is logged and tried again at the next turn. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';

export interface Repetition {
  /** Resolves when the turn under way has ended. */
  stop(): Promise<void>;
}

/** Counts turns. */
export interface TurnMeter {
  /** Of this task: to be called with how each turn ended. */
  turnsOf(task: string): (outcome: 'ok' | 'failed') => void;
}

/** What a process has for all that it repeats. */
export interface Repeating {
  readonly log: Logger;
  readonly turns: TurnMeter;
}

export interface RepeatedTask {
  /** Label of its figures: no other task of the service has it. */
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
