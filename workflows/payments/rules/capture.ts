/** Taking the money of a transaction. Pure. */
import { formatAmount } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { BOOK } from './book.ts';
import { amountMismatch, assertActive } from './creation.ts';
import type { Payment, Transaction } from './payment.ts';
import { type PaymentChange, type PaymentCommand, unchanged } from './payment-change.ts';
import { money, ofTransaction } from './payment-events.ts';
import { summaryOf } from './summary.ts';
import {
  findTransaction,
  invalidState,
  isOpen,
  isTaken,
  logged,
  type OfOne,
  transactionOf,
  withoutIntent,
  withoutTerminal,
  withTransaction,
} from './transactions.ts';

/** After the soft decline of this round the transaction is rejected. */
export const MAX_ROUNDS = 5;

/**
 * Writes down the capture before the provider is asked. Without an effect where the capture runs already, or has taken the
 * money. Throws INVALID_STATE, REFUSED_BY_ISSUER, PAYMENT_INACTIVE, and SOFT_DECLINE while a challenge is due.
 */
export const beginCapture: PaymentCommand<OfOne> = (payment, { transactionId }, now) => {
  const transaction = transactionOf(payment, transactionId);
  const { intent, round } = transaction;
  if (isTaken(transaction) || intent?.kind === 'CAPTURE') return unchanged(payment);
  assertCapturable(payment, transaction);
  const begun: Transaction = {
    ...transaction,
    intent: { kind: 'CAPTURE', key: `cap-${transactionId}-${round}`, since: now },
    activeAt: now,
  };
  return { payment: withTransaction(payment, begun, now), events: [] };
};

/** Also asked before the order is locked. Throws what {@link beginCapture} throws. */
export function assertCapturable(payment: Payment, transaction: Transaction): void {
  const { status, intent, provider, authorisationId, needsChallenge, session } = transaction;
  if (status === 'REJECTED') throw refusedByIssuer();
  if (status === 'CANCELLED' || intent?.kind === 'VOID')
    throw invalidState('The transaction is cancelled: nothing will be taken.');
  assertActive(payment);
  if (provider !== BOOK && authorisationId === undefined) {
    const isWaiting = session?.terminalUri !== undefined && session.endedAt === undefined;
    throw invalidState(
      isWaiting
        ? 'The customer has not authorised the transaction yet: send the customer to its terminal, which is open.'
        : 'The customer has not authorised the transaction: open its terminal, and send the customer there.',
    );
  }
  // The provider would decline again, and a repeated call would use up the rounds.
  if (needsChallenge) throw challengeDue();
}

/**
 * Asked under the order's lock. A page shows what is owed: it takes all of that, and no older amount. Other transactions may take a
 * part. Throws AMOUNT_MISMATCH.
 */
export function assertOwed(payment: Payment, transaction: Transaction, owedMinor: number): void {
  const { remainingMinor } = summaryOf(payment);
  const isOfPage = transaction.paymentPageId !== undefined;
  if (remainingMinor === owedMinor || (remainingMinor < owedMinor && !isOfPage)) return;
  const [remaining, owed] = [remainingMinor, owedMinor].map(
    (amount) => `${formatAmount(amount, payment.currency)} ${payment.currency}`,
  );
  const next = isOfPage
    ? 'cancel this transaction, and the customer pays what is owed on the page.'
    : "cancel this transaction, lower the payment's total, then begin another transaction.";
  throw amountMismatch(`The payment still asks for ${remaining}, and ${owed} is owed for the order: ${next}`);
}

/** Captured money with which the order cannot be confirmed: that of a page pays all of it. `owedMinor`: after the capture. */
export function isInVain({ paymentPageId }: Pick<Transaction, 'paymentPageId'>, owedMinor: number): boolean {
  return owedMinor <= 0 || paymentPageId !== undefined;
}

/** The outcome of the capture with this key. */
interface OfCapture extends OfOne {
  readonly key: string;
}

export interface CapturedMoney extends OfCapture {
  readonly rrn?: string;
}

/** Money that was taken is always written down, whatever has become of the transaction meanwhile. */
export const noteCaptured: PaymentCommand<CapturedMoney> = (payment, { transactionId, key, rrn }, now) => {
  const transaction = findTransaction(payment, transactionId);
  if (!transaction || isTaken(transaction)) return unchanged(payment);
  if (!key.startsWith(`cap-${transactionId}-`)) throw new RangeError(`${key} is no capture of ${transactionId}`);
  const { needsChallenge: _challenge, ...rest } = withoutTerminal(withoutIntent(transaction));
  const captured = logged(
    { ...rest, status: 'CAPTURED', capturedAt: now, activeAt: now, ...(rrn !== undefined && { rrn }) },
    'CAPTURE',
    now,
  );
  const { paymentTypeGroup, paymentType, amountMinor, isImport } = captured;
  const event = {
    type: 'TransactionCaptured' as const,
    ...ofTransaction(payment, captured),
    ...money(payment, amountMinor),
    paymentTypeGroup,
    paymentType,
    isImport,
  };
  return { payment: withTransaction(payment, captured, now), events: [event] };
};

/** The customer must pass a challenge at the terminal before the next round. After the last round it is rejected. */
export const noteSoftDecline: PaymentCommand<OfCapture> = (payment, { transactionId, key }, now) => {
  const transaction = capturing(payment, { transactionId, key });
  if (!transaction) return unchanged(payment);
  const { round } = transaction;
  const event = { type: 'TransactionSoftDeclined' as const, ...ofTransaction(payment, transaction), round };
  const declined: Transaction = { ...withoutIntent(transaction), needsChallenge: true, activeAt: now };
  if (round >= MAX_ROUNDS) {
    const { payment: after, events } = rejected(payment, declined, now);
    return { payment: after, events: [event, ...events] };
  }
  return { payment: withTransaction(payment, { ...declined, round: round + 1 }, now), events: [event] };
};

/** The issuer has refused the capture with this key, or, without a key, the authorisation. */
export const noteRejected: PaymentCommand<OfOne & { readonly key?: string }> = (payment, command, now) => {
  const { transactionId, key } = command;
  const found = findTransaction(payment, transactionId);
  const transaction = key === undefined ? found : capturing(payment, { transactionId, key });
  if (!transaction || !isOpen(transaction) || (key === undefined && transaction.intent)) return unchanged(payment);
  return rejected(payment, transaction, now);
};

export function challengeDue(): ServiceError {
  return new ServiceError(
    'SOFT_DECLINE',
    'The issuer asks the customer to authenticate: send the customer to the terminal again, then capture again.',
  );
}

export function refusedByIssuer(): ServiceError {
  return new ServiceError('REFUSED_BY_ISSUER', 'The issuer refuses the payment: create another transaction.');
}

/** Undefined when another round has begun, or the outcome was written before. */
function capturing(payment: Payment, { transactionId, key }: OfCapture): Transaction | undefined {
  const transaction = findTransaction(payment, transactionId);
  return transaction?.intent?.key === key ? transaction : undefined;
}

function rejected(payment: Payment, transaction: Transaction, now: Date): PaymentChange {
  const after = logged(
    { ...withoutTerminal(withoutIntent(transaction)), status: 'REJECTED', activeAt: now },
    'REJECT',
    now,
  );
  return {
    payment: withTransaction(payment, after, now),
    events: [{ type: 'TransactionRejected', ...ofTransaction(payment, after) }],
  };
}
