/** Figures of orders. Caller: the role. */
import { Counter, Gauge, type Registry } from 'prom-client';

export class OrderMetrics {
  readonly #late: Gauge;
  readonly #unsettled: Gauge;
  readonly #lost: Gauge;
  readonly #disrupted: Counter;

  constructor(registry: Registry) {
    this.#late = new Gauge({
      name: 'orders_drafts_late_count',
      help: 'Drafts that should have ended more than a minute ago',
      registers: [registry],
    });
    this.#unsettled = new Gauge({
      name: 'orders_seats_unsettled_count',
      help: 'Orders with seats sold or given up that the seating area has not been told for a minute',
      registers: [registry],
    });
    this.#lost = new Gauge({
      name: 'orders_requests_lost_count',
      help: 'Orders locked for ten minutes by a confirmation or a reset: left behind, or waiting for a credit',
      registers: [registry],
    });
    this.#disrupted = new Counter({
      name: 'orders_lines_disrupted_total',
      help: 'Marks of order lines whose journey was withdrawn or rescheduled; a worse cause counts again',
      registers: [registry],
    });
  }

  disrupted(lines: number): void {
    this.#disrupted.inc(lines);
  }

  late(drafts: number): void {
    this.#late.set(drafts);
  }

  lost(orders: number): void {
    this.#lost.set(orders);
  }

  unsettled(orders: number): void {
    this.#unsettled.set(orders);
  }
}
