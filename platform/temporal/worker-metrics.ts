/** What a worker tells Prometheus: `area_thing_unit`. One registry per process. */

import { activityInfo } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { SupervisedWorker } from './supervised-worker.ts';

export class WorkerMetrics {
  readonly registry: Registry;
  readonly #durations: Histogram;
  readonly #files: Counter;
  readonly #bytes: Counter;

  constructor(registry: Registry) {
    this.registry = registry;
    const registers = [registry];
    this.#durations = new Histogram({
      name: 'worker_activity_duration_seconds',
      help: 'One attempt of an activity, by how it ended',
      labelNames: ['activity', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 15, 60, 300],
      registers,
    });
    this.#files = new Counter({
      name: 'timetable_files_validated_total',
      help: 'Files judged; one validated again after a crash counts again',
      registers,
    });
    this.#bytes = new Counter({
      name: 'timetable_validated_bytes_total',
      help: 'Unpacked XML of those files',
      registers,
    });
  }

  /** Shows the worker's own state. */
  watch(worker: SupervisedWorker): void {
    new Gauge({
      name: 'worker_tasks_running',
      help: 'Activities and workflow activations under way',
      labelNames: ['kind'],
      registers: [this.registry],
      collect() {
        this.set({ kind: 'activity' }, worker.status?.numInFlightActivities ?? 0);
        this.set({ kind: 'workflow' }, worker.status?.numInFlightWorkflowActivations ?? 0);
      },
    });
  }

  fileValidated({ bytes }: { readonly bytes: number }): void {
    this.#files.inc();
    this.#bytes.inc(bytes);
  }

  /** Measures every attempt of every activity, local ones too. */
  activityInterceptor(): ActivityInboundCallsInterceptor {
    return {
      execute: async (input, next) => {
        const began = performance.now();
        let outcome = 'ok';
        try {
          return await next(input);
        } catch (error) {
          outcome = 'failed';
          throw error;
        } finally {
          const seconds = (performance.now() - began) / 1_000;
          this.#durations.observe({ activity: activityInfo().activityType, outcome }, seconds);
        }
      },
    };
  }
}
