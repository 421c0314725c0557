/** What follows from the transactions of a payment. Pure. */
import { sumOf } from '../../shared/money.ts';
import { importKeys } from './entered-money.ts';
import type { Payment, PaymentStatus, Transaction } from './payment.ts';
import { isLive, isOpen, isTaken } from './transactions.ts';

export interface PaymentSummary {
  readonly capturedMinor: number;
  readonly creditedMinor: number;
  /** Of the total; money that was credited is not asked for again. */
  readonly remainingMinor: number;
}

/** Of one transaction. A credit that failed later still counts: the order was told, and the money is owed elsewhere. */
export function creditedMinor({ credits }: Pick<Transaction, 'credits'>): number {
  return sumOf(credits.filter(({ status }) => status === 'CREDITED').map(({ amountMinor }) => amountMinor));
}

/** Credited, or about to be. */
export function reservedMinor({ credits }: Pick<Transaction, 'credits'>): number {
  return sumOf(credits.filter(({ status }) => status !== 'FAILED').map(({ amountMinor }) => amountMinor));
}

/** What may still be credited of one transaction. The provider has taken back the money of a dispute. */
export function creditableMinor(transaction: Pick<Transaction, 'status' | 'amountMinor' | 'credits'>): number {
  if (!isTaken(transaction) || transaction.status === 'DISPUTED') return 0;
  return transaction.amountMinor - reservedMinor(transaction);
}

export function summaryOf({ transactions, totalMinor }: Pick<Payment, 'transactions' | 'totalMinor'>): PaymentSummary {
  const taken = transactions.filter(isTaken);
  const capturedMinor = sumOf(taken.map(({ amountMinor }) => amountMinor));
  return {
    capturedMinor,
    creditedMinor: sumOf(taken.map(creditedMinor)),
    remainingMinor: totalMinor - capturedMinor,
  };
}

export function statusOf(payment: Pick<Payment, 'transactions' | 'totalMinor' | 'active'>): PaymentStatus {
  const { capturedMinor, creditedMinor: credited, remainingMinor } = summaryOf(payment);
  if (remainingMinor > 0) return payment.active ? 'OPEN' : 'INACTIVE';
  if (credited === 0) return 'PAID';
  return credited < capturedMinor ? 'PARTLY_CREDITED' : 'CREDITED';
}

/** Sum of the transactions that have taken money, or may. */
export function liveMinor({ transactions }: Pick<Payment, 'transactions'>): number {
  return sumOf(transactions.filter(isLive).map(({ amountMinor }) => amountMinor));
}

/** What the order is told of the payment. */
export interface PaymentNote {
  readonly paymentId: number;
  readonly orderVersion: number;
  readonly capturedMinor: number;
  readonly creditedMinor: number;
  /** Transactions that may still capture. */
  readonly openTransactions: number;
  /** The order has counted what it captured. */
  readonly cameWithOrder?: true;
  /** Of each transaction that was imported; absent where there is none. */
  readonly importKeys?: readonly string[];
}

export function noteOf(payment: Payment): PaymentNote {
  const { capturedMinor, creditedMinor: credited } = summaryOf(payment);
  const entered = importKeys(payment);
  return {
    paymentId: payment.id,
    orderVersion: payment.orderVersion,
    capturedMinor,
    creditedMinor: credited,
    openTransactions: payment.transactions.filter(isOpen).length,
    ...(payment.cameWithOrder && { cameWithOrder: true }),
    ...(entered.length > 0 && { importKeys: entered }),
  };
}

export function isSameNote(one: PaymentNote, other: PaymentNote): boolean {
  return (
    one.capturedMinor === other.capturedMinor &&
    one.creditedMinor === other.creditedMinor &&
    one.openTransactions === other.openTransactions
  );
}
