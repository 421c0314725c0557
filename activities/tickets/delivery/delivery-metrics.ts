/** Figures of deliveries. Caller: the role. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Attempt } from '../../../workflows/tickets/rules/mailing-steps.ts';

const OUTCOMES: { readonly [Kind in Attempt['kind']]: string } = {
  SENT: 'sent',
  REFUSED: 'refused',
  UNKNOWN: 'unknown',
  DROPPED: 'dropped',
};

export class DeliveryMetrics {
  readonly #mails: Counter;
  readonly #refused: Counter;
  readonly #late: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#mails = new Counter({
      name: 'tickets_mail_attempts_total',
      help: 'Attempts to send tickets, by outcome; unknown: the mail server failed, and it is tried again; dropped: not valid any more',
      labelNames: ['outcome'],
      registers,
    });
    this.#refused = new Counter({
      name: 'tickets_refused_orders_total',
      help: 'Times that tickets were not signed because their order does not add up, or fits no barcode',
      registers,
    });
    this.#late = new Gauge({
      name: 'tickets_late_count',
      help: 'Mailings of tickets on which something was due more than a minute ago, or whose tickets are still not made, up to 400',
      registers,
    });
    for (const outcome of Object.values(OUTCOMES)) this.#mails.inc({ outcome }, 0);
  }

  attempted(kind: Attempt['kind']): void {
    this.#mails.inc({ outcome: OUTCOMES[kind] });
  }

  refused(): void {
    this.#refused.inc();
  }

  late(mailings: number): void {
    this.#late.set(mailings);
  }
}
