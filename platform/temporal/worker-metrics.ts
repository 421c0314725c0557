/** Metrics of the tasks of a worker process. One registry per process. */
import { activityInfo } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, WorkerStatus } from '@temporalio/worker';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { SupervisedWorker } from './supervised-worker.ts';

export class WorkerMetrics {
  readonly registry: Registry;
  readonly #durations: Histogram;

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
  }

  /** Shows the tasks of all workers of the process together. */
  watch(workers: readonly SupervisedWorker[]): void {
    const sum = (read: (status: WorkerStatus) => number): number =>
      workers.reduce((total, { status }) => total + (status ? read(status) : 0), 0);
    new Gauge({
      name: 'worker_tasks_running',
      help: 'Activities and workflow activations under way',
      labelNames: ['kind'],
      registers: [this.registry],
      collect() {
        this.set(
          { kind: 'activity' },
          sum((status) => status.numInFlightActivities),
        );
        this.set(
          { kind: 'workflow' },
          sum((status) => status.numInFlightWorkflowActivations),
        );
      },
    });
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
