/** How a payment page ends, and what is known of one that has ended. Pure. */
import { ServiceError } from '../../shared/service-error.ts';
import type { PageError, PageStatus, PaymentPage } from './page.ts';

export function ended(
  page: PaymentPage,
  status: Extract<PageStatus, 'PAID' | 'EXPIRED' | 'CANCELLED'>,
  now: Date,
  lastError?: PageError,
): PaymentPage {
  const { attempt: _attempt, ...rest } = page;
  return { ...rest, status, endedAt: now, ...(lastError && { lastError }) };
}

/** The order may have no other page meanwhile. */
export function isLive({ status }: Pick<PaymentPage, 'status'>): boolean {
  return status === 'OPEN' || status === 'PROCESSING';
}

/** Its workflow has nothing more to wait for. */
export function isOver({ status, lastError }: Pick<PaymentPage, 'status' | 'lastError'>): boolean {
  return !isLive({ status }) && (status !== 'PAID' || lastError !== undefined);
}

/** Paid, and over without its tickets or receipt. Whoever sends them later says so. */
export function lacksDelivery({ status, lastError }: Pick<PaymentPage, 'status' | 'lastError'>): boolean {
  return status === 'PAID' && lastError !== undefined;
}

/** Refuses a write to a page that has ended. */
export function closed(): ServiceError {
  return new ServiceError(
    'PAYMENT_PAGE_CLOSED',
    'The payment page has ended. While the order has something to pay, you can create another one.',
  );
}
