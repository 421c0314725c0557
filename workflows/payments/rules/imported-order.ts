/**
 * The payment of an order that was imported: what other systems have taken for it, so that it can be credited. The order has
 * entered the money with its import; the payment enters it nowhere again. Pure.
 */
import type { TransactionId } from '../../shared/ids.ts';
import { sumOf } from '../../shared/money.ts';
import { BOOK } from './book.ts';
import type { NewPayment } from './creation.ts';
import type { Payment, Transaction } from './payment.ts';
import type { PaymentChange } from './payment-change.ts';
import { money, ofPayment } from './payment-events.ts';

export interface MoneyOfOrder {
  readonly id: TransactionId;
  readonly amountMinor: number;
  readonly paymentTypeGroup: string;
  readonly paymentType: string;
  readonly rrn: string;
  readonly confirmedAt: Date;
}

export interface PaymentOfImport extends Omit<NewPayment, 'totalMinor' | 'transaction'> {
  readonly transactions: readonly MoneyOfOrder[];
}

export function paymentOfImport({ transactions: taken, ...content }: PaymentOfImport, now: Date): PaymentChange {
  const totalMinor = sumOf(taken.map(({ amountMinor }) => amountMinor));
  const transactions = taken.map(
    ({ confirmedAt: capturedAt, ...given }): Transaction => ({
      ...given,
      ...{ status: 'CAPTURED', provider: BOOK, isImport: true, capturesItself: false, round: 1, credits: [] },
      ...{ createdAt: now, capturedAt, activeAt: now, operations: [{ operation: 'IMPORT', at: now }] },
    }),
  );
  const dates = { createdAt: now, updatedAt: now };
  const payment: Payment = { ...content, totalMinor, active: true, cameWithOrder: true, transactions, ...dates };
  const { distributionChannelId } = content;
  const event = { type: 'PaymentCreated' as const, ...ofPayment(payment), ...money(payment, totalMinor) };
  return { payment, events: [{ ...event, distributionChannelId }] };
}
