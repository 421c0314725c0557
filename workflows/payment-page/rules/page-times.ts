/** The deadlines of a payment page: absolute, computed from what is stored. Pure. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/spans.ts';
import type { PaymentPage } from './page.ts';

export const DEFAULT_LIFE_MS = 7 * DAY_MS;
export const LONGEST_LIFE_MS = 180 * DAY_MS;
/** An attempt that has begun before the page's end may go on for so long after it. */
export const GRACE_MS = 15 * MINUTE_MS;
/** An attempt without a step of the customer is given up. */
const ABANDONED_AFTER_MS = 30 * MINUTE_MS;
/** Mails are tried for 24 hours; then somebody should look. */
const DELIVERED_WITHIN_MS = 48 * HOUR_MS;
/** A customer who opens the link later still learns how it ended. */
const SHOWN_AFTER_END_MS = 30 * DAY_MS;

/** The order must live as long as an attempt on its page may. */
export function orderLivesUntil(pageExpireAt: Date): Date {
  return new Date(pageExpireAt.getTime() + GRACE_MS);
}

/** An order with a seat ends at its departure, however long the page was to live. `orderEnd`: of the draft, where it ends. */
export function payableUntil({ expireAt }: Pick<PaymentPage, 'expireAt'>, orderEnd: Date | undefined): Date {
  return orderEnd && orderEnd < expireAt ? orderEnd : expireAt;
}

export function isDue({ expireAt }: Pick<PaymentPage, 'expireAt'>, now: Date): boolean {
  return now.getTime() >= expireAt.getTime();
}

export function isGraceOver({ expireAt }: Pick<PaymentPage, 'expireAt'>, now: Date): boolean {
  return now.getTime() >= expireAt.getTime() + GRACE_MS;
}

export function isAbandoned({ attempt }: Pick<PaymentPage, 'attempt'>, now: Date): boolean {
  return attempt !== undefined && now.getTime() >= attempt.activeAt.getTime() + ABANDONED_AFTER_MS;
}

export function isDeliveryLate({ endedAt }: Pick<PaymentPage, 'endedAt'>, now: Date): boolean {
  return endedAt !== undefined && now.getTime() >= endedAt.getTime() + DELIVERED_WITHIN_MS;
}

export function isShownStill({ endedAt }: Pick<PaymentPage, 'endedAt'>, now: Date): boolean {
  return endedAt === undefined || now.getTime() < endedAt.getTime() + SHOWN_AFTER_END_MS;
}

/** When time alone changes the page next. Undefined: never, or an attempt that is ending decides first. */
export function nextDeadline({ status, expireAt, attempt, endedAt, lastError }: PaymentPage): Date | undefined {
  if (status === 'OPEN') return expireAt;
  if (status === 'PROCESSING' && attempt && !attempt.ending) {
    const abandonedMs = attempt.activeAt.getTime() + ABANDONED_AFTER_MS;
    return new Date(Math.min(abandonedMs, expireAt.getTime() + GRACE_MS));
  }
  if (status === 'PAID' && endedAt && !lastError) return new Date(endedAt.getTime() + DELIVERED_WITHIN_MS);
  return undefined;
}
