/** How transactions end without money, and how payments stop taking any. Pure. */
import type { Order } from '../../orders/rules/order.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { BOOK } from './book.ts';
import { amountMismatch } from './creation.ts';
import type { Payment, Transaction } from './payment.ts';
import { type PaymentChange, type PaymentCommand, unchanged } from './payment-change.ts';
import { ofTransaction } from './payment-events.ts';
import { liveMinor } from './summary.ts';
import { voidKey } from './terminal.ts';
import {
  findTransaction,
  invalidState,
  isOpen,
  isTaken,
  logged,
  type OfOne,
  outcomeUnknown,
  transactionOf,
  withoutIntent,
  withoutTerminal,
  withTransaction,
} from './transactions.ts';

const CAPTURED =
  'The money is captured and cannot be cancelled. To pay it back, refund what it pays for (`POST /v1/refunds/{orderId}`), ' +
  'or cancel that in the order and confirm with `creditBalance`.';

/**
 * Without a session it is cancelled at once. With one, the void is written down first, and nothing may be captured any more;
 * {@link noteVoided} cancels. Throws INVALID_STATE once money is taken or refused, RESOURCE_BUSY while a capture runs.
 */
export const cancelTransaction: PaymentCommand<OfOne> = (payment, { transactionId }, now) => {
  const transaction = transactionOf(payment, transactionId);
  if (isTaken(transaction)) throw invalidState(CAPTURED);
  if (transaction.status === 'REJECTED') throw invalidState('The issuer has refused the transaction.');
  if (transaction.status === 'CANCELLED' || transaction.intent?.kind === 'VOID') return unchanged(payment);
  if (transaction.intent) throw outcomeUnknown();
  if (!transaction.session) return cancelled(payment, transaction, now);
  const intent = { kind: 'VOID' as const, key: voidKey(transaction), since: now };
  return { payment: withTransaction(payment, { ...transaction, intent }, now), events: [] };
};

/** The session is ended, and what it had authorised is given back. */
export const noteVoided: PaymentCommand<OfOne & { readonly key: string }> = (payment, { transactionId, key }, now) => {
  const transaction = findTransaction(payment, transactionId);
  if (transaction?.intent?.key !== key) return unchanged(payment);
  if (isOpen(transaction)) return cancelled(payment, transaction, now);
  return { payment: withTransaction(payment, withoutIntent(transaction), now), events: [] };
};

export interface PaymentPatch {
  readonly active?: boolean;
  /** The caller has compared it with the order. */
  readonly totalMinor?: number;
}

/**
 * An inactive payment takes no further transaction and captures none; the caller cancels those that are open. Throws
 * AMOUNT_MISMATCH, PAYMENT_INACTIVE.
 */
export const patchPayment: PaymentCommand<PaymentPatch> = (payment, patch, now) => {
  const { active = payment.active, totalMinor = payment.totalMinor } = patch;
  if (active === payment.active && totalMinor === payment.totalMinor) return unchanged(payment);
  if (totalMinor !== payment.totalMinor && !active) {
    throw new ServiceError('PAYMENT_INACTIVE', 'The total of an inactive payment stays as it is.');
  }
  if (totalMinor <= 0 || totalMinor < liveMinor(payment)) {
    throw amountMismatch('The total is less than the transactions that are open or captured: cancel those first.');
  }
  return { payment: { ...payment, active, totalMinor, updatedAt: now }, events: [] };
};

/** Transactions without a step for this long are cancelled, but for invoices. */
export const IDLE_MS = 30 * 60_000;

/** An invoice is paid weeks after it was issued: a caller, or the end of its order, ends it. */
export function mayIdle({ provider, paymentTypeGroup }: Pick<Transaction, 'provider' | 'paymentTypeGroup'>): boolean {
  return provider !== BOOK || paymentTypeGroup !== 'INVOICE';
}

export function isIdle(transaction: Transaction, now: Date): boolean {
  const { activeAt, intent } = transaction;
  return isOpen(transaction) && mayIdle(transaction) && !intent && activeAt.getTime() + IDLE_MS <= now.getTime();
}

/**
 * Open, and the order takes nothing for the payment's version any more: no version comes a second time. An invoice holds no money, and is
 * left to its caller or the end of its order.
 */
export function isNeedless(
  { orderVersion }: Pick<Payment, 'orderVersion'>,
  transaction: Transaction,
  { status, version }: Pick<Order, 'status' | 'version'>,
): boolean {
  const isPayable = status === 'DRAFT' && version === orderVersion;
  return isOpen(transaction) && mayIdle(transaction) && !isPayable;
}

function cancelled(payment: Payment, transaction: Transaction, now: Date): PaymentChange {
  const after = logged(
    { ...withoutTerminal(withoutIntent(transaction)), status: 'CANCELLED', activeAt: now },
    'CANCEL',
    now,
  );
  return {
    payment: withTransaction(payment, after, now),
    events: [{ type: 'TransactionCancelled', ...ofTransaction(payment, after) }],
  };
}
