/** The metrics of the customers worker. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { EndingFigures } from './ending-figures.ts';

export class CustomerMetrics {
  readonly #erased: Counter;
  readonly #lag: Histogram;
  readonly #overdue: Gauge;
  readonly #due: Gauge;
  readonly #erasing: Gauge;
  #oldestErasure: Date | undefined;

  constructor(registry: Registry, now: () => number = Date.now) {
    const registers = [registry];
    this.#erased = new Counter({
      name: 'customers_profiles_erased_total',
      help: 'Profiles that are erased',
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
    this.#due = new Gauge({
      name: 'customers_profiles_due',
      help: 'Temporary profiles whose date passed half a minute ago and which no process has ended yet; unreadable all the same',
      registers,
    });
    this.#erasing = new Gauge({
      name: 'customers_erasures_open',
      help: 'Profiles whose erasure has begun and not ended',
      registers,
    });
    const age = () => (this.#oldestErasure ? Math.max(0, now() - this.#oldestErasure.getTime()) / 1_000 : 0);
    new Gauge({
      name: 'customers_erasure_oldest_seconds',
      help: 'How long ago the open erasure began that began first; 0 when none is open',
      registers,
      collect() {
        this.set(age());
      },
    });
  }

  /** Sets the metrics from the present numbers. */
  show({ due, erasing, oldestErasure }: EndingFigures): void {
    this.#due.set(due);
    this.#erasing.set(erasing);
    this.#oldestErasure = oldestErasure;
  }

  erased({ lagSeconds }: { readonly lagSeconds: number }): void {
    this.#erased.inc();
    this.#lag.observe(lagSeconds);
  }

  overdue(profiles: number): void {
    this.#overdue.set(profiles);
  }
}
