/** How a page follows its order. Pure. */
import type { AttemptEnding, OrderFacts, PaymentPage } from './page.ts';
import { ended } from './page-end.ts';

/**
 * An open page of version 1 takes over the amount; one of a later version ends with the first change, since its customer
 * agreed to that change alone. An attempt for something else than the order is now is to end. Without an effect the same
 * page.
 */
export function followOrder(page: PaymentPage, order: OrderFacts, now: Date): PaymentPage {
  if (page.status === 'OPEN') return followOpen(page, order, now);
  return page.status === 'PROCESSING' ? followProcessing(page, order, now) : page;
}

/** The order can be paid on this page still. */
export function isPayable(page: PaymentPage, { status, version, currency }: OrderFacts): boolean {
  return status === 'DRAFT' && version === page.orderVersion && currency === page.currency;
}

function followOpen(page: PaymentPage, order: OrderFacts, now: Date): PaymentPage {
  if (!isPayable(page, order)) return ended(page, 'CANCELLED', now);
  const { balanceMinor: amountMinor, contentMark } = order;
  if (amountMinor === page.amountMinor && contentMark === page.contentMark) return page;
  if (page.orderVersion > 1) return ended(page, 'CANCELLED', now);
  return { ...page, amountMinor, contentMark };
}

function followProcessing(page: PaymentPage, order: OrderFacts, now: Date): PaymentPage {
  const { attempt } = page;
  if (!attempt || attempt.ending) return page;
  // Confirmed by this very attempt: no other outcome can follow.
  if (isPaidBy(page, order)) return ended(page, 'PAID', now);
  return isPaidFor(page, order) ? page : withEnding(page, 'ORDER_CHANGED');
}

/** The order is still what the customer of the running attempt has agreed to. */
export function isPaidFor(page: PaymentPage, order: OrderFacts): boolean {
  const { attempt } = page;
  return (
    isPayable(page, order) &&
    order.contentMark === attempt?.contentMark &&
    // Its money is counted before the order is confirmed.
    order.balanceMinor + heldBy(page, order) === attempt.amountMinor
  );
}

/** The version that the page is for was confirmed, or a later one was begun since. */
export function isSold({ orderVersion }: PaymentPage, { version, status }: OrderFacts): boolean {
  return version > orderVersion || (version === orderVersion && status === 'CONFIRMED');
}

function isPaidBy(page: PaymentPage, order: OrderFacts): boolean {
  return page.attempt !== undefined && isSold(page, order) && heldBy(page, order) >= page.attempt.amountMinor;
}

/** The first reason stays. */
export function withEnding(page: PaymentPage, ending: AttemptEnding): PaymentPage {
  const { attempt } = page;
  return attempt && !attempt.ending ? { ...page, attempt: { ...attempt, ending } } : page;
}

function heldBy({ attempt }: PaymentPage, order: OrderFacts): number {
  return attempt?.place ? order.heldMinor(attempt.place.paymentId) : 0;
}
