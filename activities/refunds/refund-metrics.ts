/** Figures of refunds. Caller: the part of this area in the orders worker. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { isEnded, REFUND_STATUSES } from '../../workflows/refunds/rules/refund.ts';
import type { RefundStore } from './refund-store.ts';

const RUNNING = REFUND_STATUSES.filter((status) => !isEnded({ status }));

export class RefundMetrics {
  readonly #ended: Counter;
  readonly #running: Gauge;
  readonly #oldest: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#ended = new Counter({
      name: 'refunds_ended_total',
      help: 'Refunds that have ended, by status',
      labelNames: ['status'],
      registers,
    });
    this.#running = new Gauge({
      name: 'refunds_running_count',
      help: 'Refunds that have not ended, by status',
      labelNames: ['status'],
      registers,
    });
    this.#oldest = new Gauge({
      name: 'refunds_oldest_seconds',
      help: 'Age of the oldest refund that has not ended, by status; 0 without one',
      labelNames: ['status'],
      registers,
    });
    for (const status of ['COMPLETED', 'FAILED']) this.#ended.inc({ status }, 0);
  }

  ended(status: 'COMPLETED' | 'FAILED'): void {
    this.#ended.inc({ status });
  }

  async count(refunds: Pick<RefundStore, 'countRunning' | 'now'>): Promise<void> {
    const found = new Map((await refunds.countRunning()).map((each) => [each.status, each]));
    for (const status of RUNNING) {
      const { count, oldest } = found.get(status) ?? { count: 0, oldest: refunds.now() };
      this.#running.set({ status }, count);
      this.#oldest.set({ status }, Math.max(0, (refunds.now().getTime() - oldest.getTime()) / 1_000));
    }
  }
}
