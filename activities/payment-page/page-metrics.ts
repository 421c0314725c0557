/** Figures of payment pages. Caller: the role. */
import { Gauge, type Registry } from 'prom-client';

export class PageMetrics {
  readonly #late: Gauge;

  constructor(registry: Registry) {
    this.#late = new Gauge({
      name: 'payment_pages_late_count',
      help: 'Payment pages on which something was due more than a minute ago, up to 200',
      registers: [registry],
    });
  }

  late(pages: number): void {
    this.#late.set(pages);
  }
}
