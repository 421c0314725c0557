/**
 * The commands on payment pages that time and callers give. Each answers the page as it is then, the same page where
 * nothing changes, and refuses by throwing a ServiceError. Pure.
 */
import type { SettledDelivery } from '../../shared/payment-page-signals.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { withEnding } from './follow-order.ts';
import type { PageMethod, PaymentPage } from './page.ts';
import { closed, ended, isLive } from './page-end.ts';
import { isAbandoned, isDeliveryLate, isDue, isGraceOver } from './page-times.ts';

/** What time alone does. */
export function advance(page: PaymentPage, now: Date): PaymentPage {
  const { status, lastError } = page;
  if (status === 'OPEN' && isDue(page, now)) return ended(page, 'EXPIRED', now);
  if (status === 'PROCESSING' && isGraceOver(page, now)) return withEnding(page, 'EXPIRED');
  if (status === 'PROCESSING' && isAbandoned(page, now)) return withEnding(page, 'ABANDONED');
  if (status === 'PAID' && !lastError && isDeliveryLate(page, now)) {
    return { ...page, lastError: 'DELIVERY_OUTSTANDING' };
  }
  return page;
}

export interface PagePatch {
  readonly expireAt?: Date;
  readonly paymentMethods?: readonly PageMethod[];
}

/** An attempt that runs keeps its method. Throws PAYMENT_PAGE_CLOSED. */
export function patchPage(page: PaymentPage, { expireAt, paymentMethods }: PagePatch, now: Date): PaymentPage {
  const isOpen = isLive(page) && !(page.status === 'OPEN' && isDue(page, now));
  if (!isOpen) throw closed();
  const isSame =
    (expireAt === undefined || expireAt.getTime() === page.expireAt.getTime()) &&
    (paymentMethods === undefined || JSON.stringify(paymentMethods) === JSON.stringify(page.paymentMethods));
  if (isSame) return page;
  return { ...page, ...(expireAt && { expireAt }), ...(paymentMethods && { paymentMethods }) };
}

/** By the caller that made it. Cancelling a cancelled page changes nothing. */
export function cancelPage(page: PaymentPage, now: Date): PaymentPage {
  if (page.status === 'CANCELLED') return page;
  if (advance(page, now).status === 'EXPIRED') throw closed();
  if (page.status === 'PROCESSING') {
    throw new ServiceError('INVALID_STATE', 'The customer is paying. Cancel the page when that has ended.');
  }
  if (page.status !== 'OPEN') throw closed();
  return ended(page, 'CANCELLED', now);
}

/** The customer wants another method: the attempt is to end. */
export function leaveAttempt(page: PaymentPage): PaymentPage {
  return page.status === 'PROCESSING' ? withEnding(page, 'OTHER_METHOD') : page;
}

/** Tickets and receipt were sent, or cannot be. What was sent late is sent too. Nobody waits for what has no address. */
export function noteDelivery(page: PaymentPage, settled: SettledDelivery, now: Date): PaymentPage {
  const { delivered, isUnaddressed } = settled;
  if (page.status !== 'PAID') return page;
  if (!delivered) return page.lastError === 'DELIVERY_FAILED' ? page : { ...page, lastError: 'DELIVERY_FAILED' };
  const { lastError: _lastError, ...rest } = page;
  return { ...rest, status: 'COMPLETED', completedAt: now, ...(isUnaddressed && { isUnaddressed }) };
}
