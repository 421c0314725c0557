/** Figures of orders. Caller: the role. */
import { Gauge, type Registry } from 'prom-client';

export class OrderMetrics {
  readonly #late: Gauge;

  constructor(registry: Registry) {
    this.#late = new Gauge({
      name: 'orders_drafts_late_count',
      help: 'Drafts that should have ended more than a minute ago',
      registers: [registry],
    });
  }

  late(drafts: number): void {
    this.#late.set(drafts);
  }
}
