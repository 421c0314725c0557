/**
 * The timetable worker's metrics of imports: endings that this process wrote, and the number of imports in each step.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ImportAction, ImportActionState } from '../../workflows/timetable/messages.ts';
import { IMPORT_PLACES, type ImportFigures } from './import-figures.ts';
import type { ImportObserver } from './import-observer.ts';

export class ImportMetrics implements ImportObserver {
  readonly #ended: Counter;
  readonly #steps: Histogram;
  readonly #places: Gauge;
  #oldest: Date | undefined;

  constructor(registry: Registry, now: () => number = Date.now) {
    const registers = [registry];
    this.#ended = new Counter({
      name: 'timetable_imports_ended_total',
      help: 'Imports that this process has ended, by their final state',
      labelNames: ['state'],
      registers,
    });
    for (const state of ['OK', 'FAILED']) this.#ended.inc({ state }, 0);
    this.#steps = new Histogram({
      name: 'timetable_import_step_seconds',
      help: 'A step of an import from its start to its end, waiting for workers included',
      labelNames: ['step', 'state'],
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600],
      registers,
    });
    this.#places = new Gauge({
      name: 'timetable_imports_in_progress',
      help: 'Imports that have not ended, by the step under way; every timetable worker shows the same figures',
      labelNames: ['step'],
      registers,
    });
    const age = () => (this.#oldest ? Math.max(0, now() - this.#oldest.getTime()) / 1_000 : 0);
    new Gauge({
      name: 'timetable_import_oldest_seconds',
      help: 'How long ago the oldest import that has not ended was received; 0 when there is none',
      registers,
      collect() {
        this.set(age());
      },
    });
    this.show({ places: new Map(), oldest: undefined });
  }

  stepEnded(step: ImportAction, state: ImportActionState, seconds: number): void {
    this.#steps.observe({ step, state }, seconds);
  }

  importEnded(state: 'OK' | 'FAILED'): void {
    this.#ended.inc({ state });
  }

  show({ places, oldest }: ImportFigures): void {
    this.#oldest = oldest;
    for (const step of IMPORT_PLACES) this.#places.set({ step }, places.get(step) ?? 0);
  }
}
