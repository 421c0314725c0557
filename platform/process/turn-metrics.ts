/** Metrics of the repeated tasks of a process (repeat.ts): sweeps, schedules, counts. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { TurnMeter } from './repeat.ts';

export class TurnMetrics implements TurnMeter {
  readonly #turns: Counter;
  readonly #lastGood: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#turns = new Counter({
      name: 'worker_task_turns_total',
      help: 'Turns of the tasks that this process repeats, by how they ended',
      labelNames: ['task', 'outcome'],
      registers,
    });
    this.#lastGood = new Gauge({
      name: 'worker_task_last_success_timestamp_seconds',
      help: 'When a turn of the task last ended well, in seconds since 1970; the start of the process before the first',
      labelNames: ['task'],
      registers,
    });
  }

  turnsOf(task: string): (outcome: 'ok' | 'failed') => void {
    this.#turns.inc({ task, outcome: 'ok' }, 0);
    this.#turns.inc({ task, outcome: 'failed' }, 0);
    this.#lastGood.set({ task }, Date.now() / 1_000);
    return (outcome) => {
      this.#turns.inc({ task, outcome });
      if (outcome === 'ok') this.#lastGood.set({ task }, Date.now() / 1_000);
    };
  }
}
