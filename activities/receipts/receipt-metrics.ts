/** Figures of receipts. Caller: the part of this area in the documents worker. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { MailResult } from '../../workflows/receipts/rules/mailing.ts';

export class ReceiptMetrics {
  readonly #mails: Counter;
  readonly #late: Gauge;

  constructor(registry: Registry) {
    this.#mails = new Counter({
      name: 'receipts_mails_total',
      help: 'Attempts to send a receipt, by outcome: SENT, REFUSED for good, UNKNOWN to be repeated',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.#late = new Gauge({
      name: 'receipts_late_mails_count',
      help: 'Mails of receipts that should have been tried more than five minutes ago, up to 200',
      registers: [registry],
    });
    for (const outcome of ['SENT', 'REFUSED', 'UNKNOWN']) this.#mails.inc({ outcome }, 0);
  }

  tried(outcome: MailResult['kind']): void {
    this.#mails.inc({ outcome });
  }

  late(mails: number): void {
    this.#late.set(mails);
  }
}
