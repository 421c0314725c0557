/** Figures of the books. Caller: the role. */
import { Gauge, type Registry } from 'prom-client';
import type { ReconciliationReport } from './reconciliation-store.ts';

export class BooksMetrics {
  #last: ReconciliationReport | undefined;
  readonly #since: number;
  readonly #closing: Gauge;

  constructor(registry: Registry, now: () => number = Date.now) {
    const registers = [registry];
    const last = () => this.#last;
    this.#since = now();
    const since = this.#since;
    new Gauge({
      name: 'books_reconciliation_differences_count',
      help: 'Differences between providers, payments, orders and the ledger that the last reconciliation has found and not mended',
      registers,
      collect() {
        const { differenceCount = 0, mendedCount = 0 } = last() ?? {};
        this.set(differenceCount - mendedCount);
      },
    });
    new Gauge({
      name: 'books_reconciliation_mended_count',
      help: 'Differences that the last reconciliation has mended',
      registers,
      collect() {
        this.set(last()?.mendedCount ?? 0);
      },
    });
    new Gauge({
      name: 'books_reconciliation_age_seconds',
      help: 'Time since the last reconciliation has reported, or since this process began to wait for the first',
      registers,
      collect() {
        this.set((now() - (last()?.reportedAt.getTime() ?? since)) / 1_000);
      },
    });
    this.#closing = new Gauge({
      name: 'books_settlements_closing_count',
      help: 'Settlements that wait for entries on their way before they are closed',
      registers,
    });
  }

  reconciled(last: ReconciliationReport | undefined): void {
    this.#last = last;
  }

  closing(settlements: number): void {
    this.#closing.set(settlements);
  }
}
