/** What the reconciliation asks of payments and of the event log. Types, and the keys of the interfaces. */
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { interfaceKey } from '../../platform/interfaces.ts';
import type { Difference, MovedMoney, Movement } from '../../workflows/books/rules/difference.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type { PaymentId } from '../../workflows/shared/ids.ts';

export interface PaymentBooks {
  /** Names of those whose books are read. Throws ConfigError. */
  providers(): Promise<readonly string[]>;
  /** The books of every provider that is used. `from` counts, `until` does not. */
  movements(from: Date, until: Date): AsyncIterable<Movement>;
  /** Those that exist, of every organisation. */
  list(ids: readonly PaymentId[]): Promise<readonly Payment[]>;
  /** The provider says that this call has moved the money. Undefined where it is used no more. Throws where it does not answer. */
  hasMoved(payment: Payment, money: MovedMoney): Promise<boolean | undefined>;
  /** Has the workflow of the money ask the provider once more, and note the outcome. Repeatable. */
  ask(payment: Payment, money: Pick<Difference, 'transactionId' | 'creditId'>): Promise<void>;
}

/** Provided by payments. */
export const PAYMENT_BOOKS = interfaceKey<PaymentBooks>('payment-books');

export interface EventLogReader {
  /** Offsets of the events that the log got from then on and before then: exclusive, inclusive. */
  rangeOf(topic: string, from: Date, until: Date): Promise<{ readonly after: number; readonly upTo: number }>;
  /** In order of their offsets, of every organisation. */
  listOfAll(
    topic: string,
    range: { readonly after: number; readonly upTo: number; readonly limit: number },
  ): Promise<readonly { readonly offset: number; readonly event: OutboxEvent }[]>;
}

/** Provided by events. */
export const EVENT_LOG_READER = interfaceKey<EventLogReader>('event-log-reader');
