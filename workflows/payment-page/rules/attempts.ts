/** The customer's attempts to pay on a page: they begin, and their outcome comes. Pure. */
import type { SettledCapture } from '../../shared/payment-page-signals.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { followOrder, isPaidFor, isSold } from './follow-order.ts';
import type { AttemptIds, LastAttempt, OrderFacts, PageMethod, PaymentPage } from './page.ts';
import { closed, ended } from './page-end.ts';
import { isDue } from './page-times.ts';
import { advance } from './transitions.ts';

/**
 * Each attempt is a payment of the order, and calls its provider: who has the link could begin them without end. The seller
 * can make another page.
 */
export const MAX_ATTEMPTS = 50;

/** What the form that the customer has submitted was made for. */
export interface WantedAttempt {
  readonly method: PageMethod;
  readonly number: number;
  readonly amountMinor: number;
  readonly contentMark: string;
}

/**
 * While an attempt runs, every submit joins it. Throws PAYMENT_PAGE_CLOSED; ORDER_LOCKED while a refund runs; AMOUNT_MISMATCH where the page has changed
 * since the form was made; INVALID_STATE where the attempt of that form has ended; PAYMENT_METHOD_NOT_ALLOWED.
 */
export function beginAttempt(page: PaymentPage, wanted: WantedAttempt, order: OrderFacts, now: Date): PaymentPage {
  const present = followOrder(advance(page, now), order, now);
  if (present.status === 'PROCESSING') return present;
  if (present.status !== 'OPEN') throw closed();
  if (order.isHeld)
    throw new ServiceError('ORDER_LOCKED', 'A refund of the order runs, and its balance is not settled.');
  const { method, number, amountMinor, contentMark } = wanted;
  if (number !== present.attempts + 1) {
    throw new ServiceError('INVALID_STATE', 'The attempt that this form has begun is over.');
  }
  if (amountMinor !== present.amountMinor || contentMark !== present.contentMark || amountMinor <= 0) {
    throw new ServiceError('AMOUNT_MISMATCH', 'What is to be paid has changed since the form was made.');
  }
  if (present.attempts >= MAX_ATTEMPTS) {
    throw new ServiceError(
      'PAYMENT_METHOD_NOT_ALLOWED',
      `The page has had ${MAX_ATTEMPTS} attempts, and takes no more.`,
    );
  }
  if (!present.paymentMethods.some((allowed) => isSameMethod(allowed, method))) {
    throw new ServiceError('PAYMENT_METHOD_NOT_ALLOWED', 'The page does not take this method.');
  }
  const { paymentTypeGroup, paymentType } = method;
  const { lastAttempt: _lastAttempt, ...rest } = present;
  return {
    ...rest,
    status: 'PROCESSING',
    attempts: number,
    attempt: { number, paymentTypeGroup, paymentType, amountMinor, contentMark, activeAt: now },
  };
}

/** The area of payments has made the transaction of the attempt. */
export function placeAttempt(page: PaymentPage, number: number, place: AttemptIds): PaymentPage {
  const { attempt } = page;
  if (attempt?.number !== number || isSamePlace(attempt.place, place)) return page;
  return { ...page, attempt: { ...attempt, place } };
}

/** Nothing was made that the customer could pay. */
export function dropAttempt(page: PaymentPage, number: number, order: OrderFacts, now: Date): PaymentPage {
  return page.attempt?.number === number ? reopened(page, 'FAILED', order, now) : page;
}

/**
 * The outcome of an attempt. That of an earlier one changes nothing, but for a page that has ended: it tells the
 * customer that money was paid back, or is still owed.
 */
export function settleAttempt(
  page: PaymentPage,
  { outcome, endedBy, ...place }: SettledCapture,
  order: OrderFacts,
  now: Date,
): PaymentPage {
  const { attempt } = page;
  if (!attempt || !isSamePlace(attempt.place, place)) return withMoneyNews(page, outcome);
  // Money that sells nothing is paid back: what becomes of it is waited for.
  if (outcome === 'CONFIRMED') return isSold(page, order) ? ended(page, 'PAID', now) : page;
  if (outcome === 'CREDITED' || outcome === 'CREDIT_OUTSTANDING') {
    return ended(page, endOfCredited(page, order, now), now, outcome);
  }
  if (outcome === 'ENDED') return reopened(page, endedBy === 'CUSTOMER' ? 'CANCELLED' : 'REFUSED', order, now);
  return attempt.ending ? page : { ...page, attempt: { ...attempt, activeAt: now } };
}

/** What was outstanding may be paid back later, and never the other way round. */
function withMoneyNews(page: PaymentPage, outcome: SettledCapture['outcome']): PaymentPage {
  const { status, lastError } = page;
  if (status !== 'EXPIRED' && status !== 'CANCELLED') return page;
  if (outcome === 'CREDITED' && lastError !== 'CREDITED') return { ...page, lastError: outcome };
  return outcome === 'CREDIT_OUTSTANDING' && !lastError ? { ...page, lastError: outcome } : page;
}

/** Open as before the attempt, if time and order let it be. */
function reopened(page: PaymentPage, how: LastAttempt, order: OrderFacts, now: Date): PaymentPage {
  const { attempt, ...rest } = page;
  const ending = attempt?.ending;
  if (ending === 'EXPIRED') return ended(page, 'EXPIRED', now);
  const lastAttempt = lastAttemptOf(page, how, order);
  const open = { ...rest, status: 'OPEN', ...(lastAttempt && { lastAttempt }) } as const;
  return followOrder(advance(open, now), order, now);
}

/** What the customer is told. Undefined: the customer asked for the end. */
function lastAttemptOf(page: PaymentPage, how: LastAttempt, order: OrderFacts): LastAttempt | undefined {
  const ending = page.attempt?.ending;
  if (!ending && how === 'REFUSED') return how;
  // Payments void what the order no longer owes, also before the page has heard of the change.
  if (ending === 'ORDER_CHANGED' || !isPaidFor(page, order)) return 'ORDER_CHANGED';
  if (ending === 'ABANDONED') return 'FAILED';
  return ending ? undefined : how;
}

function endOfCredited(page: PaymentPage, order: OrderFacts, now: Date): 'EXPIRED' | 'CANCELLED' {
  return order.status === 'EXPIRED' || isDue(page, now) ? 'EXPIRED' : 'CANCELLED';
}

export function isSameMethod(one: PageMethod, other: PageMethod): boolean {
  return one.paymentTypeGroup === other.paymentTypeGroup && one.paymentType === other.paymentType;
}

function isSamePlace(one: AttemptIds | undefined, other: AttemptIds): boolean {
  return one?.paymentId === other.paymentId && one.transactionId === other.transactionId;
}
