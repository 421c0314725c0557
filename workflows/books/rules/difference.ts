/**
 * Compares what a provider, the payments, the orders and the ledger say of the same money. Each difference names where it was
 * found and, where that is certain, how it is mended. Pure.
 */
import type { Order } from '../../orders/rules/order.ts';
import type { Payment, Transaction } from '../../payments/rules/payment.ts';
import { moneyAccount } from '../../payments/rules/postings.ts';
import { summaryOf } from '../../payments/rules/summary.ts';
import { findTransaction, isTaken } from '../../payments/rules/transactions.ts';
import { RECEIVABLES } from '../../shared/accounts.ts';
import type { OrderId, OrganisationId, TransactionId } from '../../shared/ids.ts';
import type { Posting } from '../../shared/journal-entry.ts';
import { sumOf } from '../../shared/money.ts';

/**
 * UNKNOWN_MOVEMENT: a provider has moved money that no payment knows. NOT_NOTED: the payment does not say so yet. AMOUNT: it says
 * another amount. NOT_MOVED: the payment says so, and the provider does not. ENTRY_MISSING: an event of a payment or an order has no
 * entry in the ledger. ENTRIES: the entries of a payment do not add up to it. ORDER_MONEY: the order has another sum of the payment.
 * PAID_TWICE: a provider has paid back what an operator has paid as well, or what had been given up and was credited otherwise.
 * ORDER_BALANCE: a confirmed order costs another sum than what was paid for it. NOT_COMPARED: money of a provider whose books are not
 * read here.
 */
export const DIFFERENCE_KINDS = [
  ...(['UNKNOWN_MOVEMENT', 'NOT_NOTED', 'AMOUNT', 'NOT_MOVED'] as const),
  ...(['ENTRY_MISSING', 'ENTRIES', 'ORDER_MONEY', 'PAID_TWICE', 'ORDER_BALANCE', 'NOT_COMPARED'] as const),
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** ASKED: the workflow of the money asks the provider and notes the outcome. ENTERED: the entry was written. */
export type Mending = 'ASKED' | 'ENTERED';

export interface Difference {
  readonly kind: DifferenceKind;
  /** Absent where no payment is known. */
  readonly organisationId?: OrganisationId;
  readonly orderId?: string;
  readonly paymentId?: number;
  readonly transactionId?: number;
  readonly creditId?: number;
  readonly provider?: string;
  /** Of the provider's call. */
  readonly key?: string;
  /** Of the event without an entry. */
  readonly eventId?: string;
  readonly currency?: string;
  /** By the payment; of an ORDER_BALANCE what the order costs. */
  readonly expectedMinor?: number;
  /** By the other side. */
  readonly foundMinor?: number;
  readonly mended?: Mending;
}

export interface Movement {
  readonly provider: string;
  /** `<paymentId>/<transactionId>` */
  readonly reference: string;
  readonly kind: 'CAPTURE' | 'REFUND' | 'DISPUTE';
  /** Negative when it takes an earlier one back. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly key: string;
}

const CREDIT_KEY = /^cr-(\d{1,16})-(\d{1,16})$/;

/** The payment and transaction that a movement names. */
export function referenceOf({ reference }: Pick<Movement, 'reference'>) {
  const [, paymentId, transactionId] = /^(\d{1,16})\/(\d{1,16})$/.exec(reference) ?? [];
  if (paymentId === undefined) return undefined;
  return { paymentId: Number(paymentId), transactionId: Number(transactionId) as TransactionId };
}

/** Undefined where the payment says the same. */
export function compareMovement(movement: Movement, payment: Payment | undefined): Difference | undefined {
  const { provider, key, currency, amountMinor } = movement;
  const transactionId = referenceOf(movement)?.transactionId;
  const transaction = payment && transactionId && findTransaction(payment, transactionId);
  const found = { provider, key, currency, foundMinor: amountMinor };
  if (!payment || !transaction) return { kind: 'UNKNOWN_MOVEMENT', ...referenceOf(movement), ...found };
  const noted = notedOf(movement, transaction);
  const of = { ...ofPayment(payment), transactionId: transaction.id, ...noted.names, ...found };
  if (noted.isTwice) return { kind: 'PAID_TWICE', ...of, expectedMinor: 0 };
  if (noted.amountMinor === undefined) return { kind: noted.isKnown ? 'NOT_NOTED' : 'UNKNOWN_MOVEMENT', ...of };
  if (noted.amountMinor === amountMinor && payment.currency === currency) return undefined;
  // Of a dispute in another currency the ledger has nothing: a person enters it.
  const isForeign = movement.kind === 'DISPUTE' && payment.currency !== currency;
  return { kind: 'AMOUNT', ...of, expectedMinor: isForeign ? 0 : noted.amountMinor };
}

interface Noted {
  /** The payment has asked for this movement, or may learn of it. */
  readonly isKnown: boolean;
  /** By the payment; undefined where it does not say that the money was moved. */
  readonly amountMinor?: number;
  readonly names?: { readonly creditId: number };
  /** The customer has had the money in another way. */
  readonly isTwice?: true;
}

function notedOf({ kind, amountMinor, key }: Movement, transaction: Transaction): Noted {
  if (kind === 'CAPTURE') {
    return { isKnown: true, ...(isTaken(transaction) && { amountMinor: transaction.amountMinor }) };
  }
  if (kind === 'DISPUTE') {
    // The payment keeps no amount of a dispute; the ledger has it.
    const isWon = transaction.disputeWonAt !== undefined;
    const isNoted = isWon || (amountMinor > 0 && transaction.status === 'DISPUTED');
    return { isKnown: true, ...(isNoted && { amountMinor }) };
  }
  const creditId = Number(CREDIT_KEY.exec(key)?.[1]);
  const credit = transaction.credits.find((each) => each.creditId === creditId);
  if (!credit) return { isKnown: false };
  const isTwice = credit.elsewhere || credit.paidTwiceAt !== undefined;
  if (amountMinor > 0 && isTwice) return { isKnown: true, names: { creditId }, isTwice };
  const isNoted = amountMinor > 0 ? credit.status === 'CREDITED' : credit.failedAt !== undefined;
  const noted = amountMinor > 0 ? credit.amountMinor : -credit.amountMinor;
  return { isKnown: true, names: { creditId }, ...(isNoted && { amountMinor: noted }) };
}

/**
 * Its workflow still waits for the outcome, so asking it is certain to note what the provider says. Money of a transaction that has ended
 * without it, or that a provider takes back, is for a person to decide.
 */
export function isAwaited({ kind, key, amountMinor, ...movement }: Movement, payment: Payment): boolean {
  const transactionId = referenceOf(movement)?.transactionId;
  const transaction = transactionId && findTransaction(payment, transactionId);
  if (!transaction || amountMinor <= 0 || kind === 'DISPUTE') return false;
  if (kind === 'CAPTURE') return transaction.intent?.kind === 'CAPTURE';
  return transaction.credits.some((credit) => credit.key === key && credit.status === 'CREATED');
}

/** A refund whose credit counts as failed. Asking has it entered; its money is for a person to look at. */
export function isPaidAfterAll({ kind, key, amountMinor, ...movement }: Movement, payment: Payment): boolean {
  const transactionId = referenceOf(movement)?.transactionId;
  const transaction = transactionId && findTransaction(payment, transactionId);
  if (!transaction || amountMinor <= 0 || kind !== 'REFUND') return false;
  return transaction.credits.some((credit) => credit.key === key && credit.status === 'FAILED');
}

/** A call of a provider that has moved money, by the payment. */
export interface MovedMoney {
  readonly transaction: Transaction;
  readonly kind: 'CAPTURE' | 'REFUND';
  readonly key: string;
  readonly amountMinor: number;
}

/** What is entered by hand has no call. */
export function movedMoney(transaction: Transaction): readonly MovedMoney[] {
  if (!isTaken(transaction) || moneyAccount(transaction).startsWith('book/')) return [];
  const { id, round, amountMinor, credits } = transaction;
  return [
    { transaction, kind: 'CAPTURE', key: `cap-${id}-${round}`, amountMinor },
    ...credits
      .filter(({ status, elsewhere }) => status === 'CREDITED' && !elsewhere)
      .map((credit) => ({ transaction, kind: 'REFUND' as const, key: credit.key, amountMinor: credit.amountMinor })),
  ];
}

/** `postings`: of all entries of the payment. What came with the order was entered with it. */
export function compareEntries(payment: Payment, postings: readonly Posting[]): Difference | undefined {
  const { capturedMinor, creditedMinor } = summaryOf(payment);
  const expectedMinor = creditedMinor - (payment.cameWithOrder ? 0 : capturedMinor);
  const foundMinor = sumOf(postings.filter(({ account }) => account === RECEIVABLES).map((each) => each.amountMinor));
  if (expectedMinor === foundMinor) return undefined;
  return { kind: 'ENTRIES', ...ofPayment(payment), currency: payment.currency, expectedMinor, foundMinor };
}

/** `order`: undefined where there is none. */
export function compareOrder(payment: Payment, order: Pick<Order, 'paymentRefs'> | undefined): Difference | undefined {
  const { capturedMinor, creditedMinor } = summaryOf(payment);
  const ref = order?.paymentRefs.find(({ paymentId }) => paymentId === payment.id);
  if ((ref?.capturedMinor ?? 0) === capturedMinor && (ref?.creditedMinor ?? 0) === creditedMinor) return undefined;
  const foundMinor = (ref?.capturedMinor ?? 0) - (ref?.creditedMinor ?? 0);
  const expectedMinor = capturedMinor - creditedMinor;
  return { kind: 'ORDER_MONEY', ...ofPayment(payment), currency: payment.currency, expectedMinor, foundMinor };
}

/** A confirmed order that no refund is changing. */
export interface SettledOrder {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly currency: string;
  readonly totalMinor: number;
  /** What the customer owes by the order itself. */
  readonly balanceMinor: number;
}

/** `receivablesMinor`: what the customer owes by all entries of the order. */
export function compareBalance(order: SettledOrder, receivablesMinor: number): Difference | undefined {
  const { organisationId, orderId, currency, totalMinor, balanceMinor } = order;
  const owedMinor = receivablesMinor || balanceMinor;
  if (owedMinor === 0) return undefined;
  const amounts = { currency, expectedMinor: totalMinor, foundMinor: totalMinor - owedMinor };
  return { kind: 'ORDER_BALANCE', organisationId, orderId, ...amounts };
}

export function ofPayment({ id, organisationId, orderId }: Payment) {
  return { organisationId, orderId, paymentId: id };
}
