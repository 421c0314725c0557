/** What the worker of customers tells Prometheus. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export class CustomerMetrics {
  readonly #erased: Counter;
  readonly #lag: Histogram;
  readonly #overdue: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#erased = new Counter({
      name: 'customers_profiles_erased_total',
      help: 'Profiles of which nothing is left',
      registers,
    });
    this.#lag = new Histogram({
      name: 'customers_erasure_lag_seconds',
      help: 'From the date, or the deletion, until nothing was left',
      buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 600, 3_600, 86_400],
      registers,
    });
    this.#overdue = new Gauge({
      name: 'customers_erasures_overdue',
      help: 'Profiles whose erasure began more than a minute ago and has not ended, as far as one sweep counts',
      registers,
    });
  }

  erased({ lagSeconds }: { readonly lagSeconds: number }): void {
    this.#erased.inc();
    this.#lag.observe(lagSeconds);
  }

  overdue(profiles: number): void {
    this.#overdue.set(profiles);
  }
}
