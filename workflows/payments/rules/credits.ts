/** Paying back what a payment has captured. Pure. */
import type { CreditId, SettlementId, TransactionId } from '../../shared/ids.ts';
import { formatAmount } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { ForeignAmount, Payment, Transaction, TransactionCredit, TransactionStatus } from './payment.ts';
import { type PaymentChange, type PaymentCommand, unchanged } from './payment-change.ts';
import { money, ofTransaction } from './payment-events.ts';
import { creditableMinor, creditedMinor } from './summary.ts';
import { findTransaction, isTaken, logged, transactionOf, withTransaction } from './transactions.ts';

export interface ReservedParts {
  readonly creditId: CreditId;
  readonly settlementId?: SettlementId;
  readonly parts: readonly { readonly transactionId: TransactionId; readonly amountMinor: number }[];
}

/**
 * Sets money aside for a credit, all parts or none: the sum of all credits never exceeds what was captured. Throws
 * REFUND_AMOUNT_EXCEEDED. Without an effect where the credit has its parts already, also after they were paid, or refused.
 */
export const reserveCredit: PaymentCommand<ReservedParts> = (payment, { creditId, settlementId, parts }, now) => {
  const isReserved = payment.transactions.some(({ credits }) => credits.some((credit) => credit.creditId === creditId));
  if (isReserved || parts.length === 0) return unchanged(payment);
  let after = payment;
  for (const { transactionId, amountMinor } of parts) {
    const transaction = transactionOf(after, transactionId);
    if (amountMinor <= 0) throw new RangeError('A credit has an amount above 0');
    if (amountMinor > creditableMinor(transaction)) throw exceeded();
    const credit: TransactionCredit = {
      ...{ creditId, amountMinor, status: 'CREATED', key: keyOf({ creditId, transactionId }), at: now },
      ...(settlementId !== undefined && { settlementId }),
    };
    after = withTransaction(after, { ...transaction, credits: [...transaction.credits, credit] }, now);
  }
  return { payment: after, events: [] };
};

interface OfCredit {
  readonly transactionId: TransactionId;
  readonly creditId: CreditId;
}

/**
 * The provider has paid it back. Where the credit had ended as refused, it counts as far as its money was not set aside for another
 * one: the sum of all credits never exceeds what was captured. What does not count, and what an operator has paid as well, was paid
 * twice: the books have it as a claim.
 */
export const noteCredited: PaymentCommand<OfCredit & { readonly rrn?: string }> = (payment, command, now) => {
  const { rrn } = command;
  const found = creditOf(payment, command);
  if (!found || (found.credit.status === 'CREDITED' && !found.credit.elsewhere)) return unchanged(payment);
  const { credit, transaction } = found;
  const isBeyond = credit.status === 'FAILED' && credit.amountMinor > creditableMinor(transaction);
  if (credit.elsewhere || credit.paidTwiceAt || isBeyond) return notedTwice(payment, found, now);
  const credited: TransactionCredit = {
    ...found.credit,
    status: 'CREDITED',
    at: now,
    ...(rrn !== undefined && { rrn }),
  };
  const paid = logged(withCredit(found.transaction, credited), 'CREDIT', now);
  const isWhole = paid.status === 'CAPTURED' && creditedMinor(paid) === paid.amountMinor;
  const after: Transaction = isWhole ? { ...paid, status: 'CREDITED' } : paid;
  const { amountMinor, creditId } = credited;
  const event = {
    type: 'CreditExecuted' as const,
    ...ofTransaction(payment, after),
    ...money(payment, amountMinor),
    creditId,
  };
  return { payment: withTransaction(payment, after, now), events: [event] };
};

function notedTwice(payment: Payment, { transaction, credit }: FoundCredit, now: Date): PaymentChange {
  if (credit.paidTwiceAt) return unchanged(payment);
  const after = withCredit(transaction, { ...credit, paidTwiceAt: now });
  const { amountMinor, creditId } = credit;
  const event = {
    type: 'CreditPaidTwice' as const,
    ...ofTransaction(payment, after),
    ...money(payment, amountMinor),
    creditId,
  };
  return { payment: withTransaction(payment, after, now), events: [event] };
}

/** The provider has refused it, or it is given up before it was asked: the money is free for another credit. */
export const noteCreditRefused: PaymentCommand<OfCredit> = (payment, command, now) => {
  const found = creditOf(payment, command);
  if (found?.credit.status !== 'CREATED') return unchanged(payment);
  const refused: TransactionCredit = { ...found.credit, status: 'FAILED', at: now };
  return { payment: withTransaction(payment, withCredit(found.transaction, refused), now), events: [] };
};

/** As `noteCreditRefused`; noted also where nothing was set aside: an attempt to reserve that comes late has no effect then. */
export const refuseReservation: PaymentCommand<OfCredit & { readonly amountMinor: number }> = (
  payment,
  { amountMinor, ...command },
  now,
) => {
  if (creditOf(payment, command)) return noteCreditRefused(payment, command, now);
  const transaction = transactionOf(payment, command.transactionId);
  const refused: TransactionCredit = {
    ...{ creditId: command.creditId, amountMinor, status: 'FAILED', key: keyOf(command), at: now },
  };
  return {
    payment: withTransaction(payment, { ...transaction, credits: [...transaction.credits, refused] }, now),
    events: [],
  };
};

/**
 * An operator has paid the customer in another way. Counts as credited, also after the provider has refused it. Throws
 * REFUND_AMOUNT_EXCEEDED where the money was credited otherwise meanwhile.
 */
export const noteCreditedElsewhere: PaymentCommand<
  OfCredit & { readonly amountMinor: number; readonly settlementId?: SettlementId }
> = (payment, { transactionId, creditId, amountMinor, settlementId }, now) => {
  const transaction = transactionOf(payment, transactionId);
  const known = transaction.credits.find((each) => each.creditId === creditId);
  if (known?.status === 'CREDITED') return noteCreditSettled(payment, { transactionId, creditId }, now);
  if (known?.status !== 'CREATED' && amountMinor > creditableMinor(transaction)) throw exceeded();
  const credit: TransactionCredit = {
    ...{ creditId, amountMinor, status: 'CREDITED', key: keyOf({ creditId, transactionId }), at: now, elsewhere: true },
    ...(settlementId !== undefined && { settlementId }),
    ...(known?.paidTwiceAt && { paidTwiceAt: known.paidTwiceAt }),
  };
  const others = transaction.credits.filter((each) => each !== known);
  const paid = logged({ ...transaction, credits: [...others, credit] }, 'CREDIT', now);
  const isWhole = paid.status === 'CAPTURED' && creditedMinor(paid) === paid.amountMinor;
  const after: Transaction = isWhole ? { ...paid, status: 'CREDITED' } : paid;
  const event = {
    type: 'CreditExecuted' as const,
    ...ofTransaction(payment, after),
    ...money(payment, amountMinor),
    creditId,
    paidOtherwise: true as const,
  };
  return { payment: withTransaction(payment, after, now), events: [event] };
};

/**
 * A credit that the provider had accepted failed later. It stays counted: the customer is paid in another way. Without an effect where
 * an operator has paid it: nothing is owed.
 */
export const noteCreditFailed: PaymentCommand<OfCredit> = (payment, command, now) => {
  const found = creditOf(payment, command);
  if (found?.credit.status !== 'CREDITED' || found.credit.failedAt || found.credit.elsewhere) return unchanged(payment);
  const failed = withCredit(found.transaction, { ...found.credit, failedAt: now });
  const after: Transaction = failed.status === 'DISPUTED' ? failed : { ...failed, status: 'CREDIT_FAILED' };
  const { amountMinor, creditId } = found.credit;
  const event = {
    type: 'CreditFailed' as const,
    ...ofTransaction(payment, after),
    ...money(payment, amountMinor),
    creditId,
  };
  return { payment: withTransaction(payment, after, now), events: [event] };
};

/** An operator has paid in another way what had failed after it was accepted. Without an effect where nothing has failed. */
export const noteCreditSettled: PaymentCommand<OfCredit> = (payment, command, now) => {
  const found = creditOf(payment, command);
  if (!found || !isOwed(found.credit)) return unchanged(payment);
  const settled = withCredit(found.transaction, { ...found.credit, settledAt: now });
  const after: Transaction =
    settled.status === 'CREDIT_FAILED' ? { ...settled, status: undisputedStatus(settled) } : settled;
  const { amountMinor, creditId } = found.credit;
  const event = {
    type: 'CreditSettled' as const,
    ...ofTransaction(payment, after),
    ...money(payment, amountMinor),
    creditId,
  };
  return { payment: withTransaction(payment, after, now), events: [event] };
};

/** An operator has paid it, and not the provider: also where the provider had accepted it first. */
export function isPaidOtherwise({ elsewhere, settledAt }: TransactionCredit): boolean {
  return elsewhere === true || settledAt !== undefined;
}

/** It was accepted and has failed later, and the customer has not been paid in another way. */
export function isOwed({ failedAt, settledAt }: TransactionCredit): boolean {
  return failedAt !== undefined && settledAt === undefined;
}

/** The provider took the money back from us. Its sums stay: the order is sold, and the money is claimed elsewhere. */
export const noteDispute: PaymentCommand<Disputed> = (payment, { transactionId, ...disputed }, now) => {
  const transaction = findTransaction(payment, transactionId);
  if (!transaction || !isTaken(transaction) || transaction.status === 'DISPUTED') return unchanged(payment);
  const foreignDispute = foreignAmount(payment, disputed);
  const after: Transaction = { ...transaction, status: 'DISPUTED', ...(foreignDispute && { foreignDispute }) };
  const event = foreignDispute
    ? { type: 'DisputeNotEntered' as const, outcome: 'TAKEN' as const, ...disputedMoney(foreignDispute) }
    : { type: 'TransactionDisputed' as const, ...money(payment, disputed.amountMinor ?? transaction.amountMinor) };
  return { payment: withTransaction(payment, after, now), events: [{ ...ofTransaction(payment, after), ...event }] };
};

/** The provider has given the money of the dispute back to us: the transaction is again what it was before. */
export const noteDisputeWon: PaymentCommand<Disputed> = (payment, { transactionId, amountMinor }, now) => {
  const transaction = findTransaction(payment, transactionId);
  if (transaction?.status !== 'DISPUTED') return unchanged(payment);
  const { foreignDispute, ...rest } = transaction;
  const after: Transaction = { ...rest, status: undisputedStatus(transaction), disputeWonAt: now };
  // What was not entered is not taken back.
  const event = foreignDispute
    ? { type: 'DisputeNotEntered' as const, outcome: 'GIVEN_BACK' as const, ...disputedMoney(foreignDispute) }
    : { type: 'TransactionDisputeWon' as const, ...money(payment, amountMinor ?? transaction.amountMinor) };
  return { payment: withTransaction(payment, after, now), events: [{ ...ofTransaction(payment, after), ...event }] };
};

interface Disputed {
  readonly transactionId: TransactionId;
  /** Absent: all of it. */
  readonly amountMinor?: number;
  /** Absent: that of the payment. */
  readonly currency?: string;
}

function foreignAmount(payment: Payment, { amountMinor, currency }: Omit<Disputed, 'transactionId'>) {
  if (amountMinor === undefined || currency === undefined || currency === payment.currency) return undefined;
  return { amountMinor, currency };
}

function disputedMoney({ amountMinor, currency }: ForeignAmount) {
  return { disputedAmount: formatAmount(amountMinor, currency), disputedCurrency: currency };
}

function undisputedStatus(transaction: Transaction): TransactionStatus {
  if (transaction.credits.some(isOwed)) return 'CREDIT_FAILED';
  return creditedMinor(transaction) === transaction.amountMinor ? 'CREDITED' : 'CAPTURED';
}

interface FoundCredit {
  readonly transaction: Transaction;
  readonly credit: TransactionCredit;
}

/** The part of a credit that one transaction pays. */
function creditOf(payment: Payment, { transactionId, creditId }: OfCredit): FoundCredit | undefined {
  const transaction = findTransaction(payment, transactionId);
  const credit = transaction?.credits.find((each) => each.creditId === creditId);
  return transaction && credit ? { transaction, credit } : undefined;
}

function withCredit(transaction: Transaction, changed: TransactionCredit): Transaction {
  const credits = transaction.credits.map((each) => (each.creditId === changed.creditId ? changed : each));
  return { ...transaction, credits };
}

/** Of the provider's call. */
function keyOf({ creditId, transactionId }: OfCredit): string {
  return `cr-${creditId}-${transactionId}`;
}

function exceeded(): ServiceError {
  return new ServiceError('REFUND_AMOUNT_EXCEEDED', 'More would be credited than the transaction has captured.');
}
