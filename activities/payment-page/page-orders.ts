/**
 * Ties a page to its order: the order names its page, and lives as long as an attempt on it may. Each call may be
 * repeated. Callers: the creation of pages, the activities.
 */
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import { orderLivesUntil } from '../../workflows/payment-page/rules/page-times.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderMoneyAccess } from '../shared/orders.ts';

/** Names the area as the one who writes. */
const CLIENT_ID = 'payment-pages-worker';

/** Throws what the order refuses: ORDER_EXPIRED, ORDER_LOCKED, INVALID_STATE. */
export async function attachToOrder(orders: OrderMoneyAccess, page: PaymentPage, correlationId: string): Promise<void> {
  const { id: pageId, organisationId, orderId, expireAt } = page;
  const change = { pageId, attached: true, expireAt: orderLivesUntil(expireAt) };
  await orders.attachPaymentPage(organisationId, orderId, change, { correlationId, clientId: CLIENT_ID });
}

/** An order that has ended keeps the name of its page; nothing asks for it any more. */
export async function detachFromOrder(
  orders: OrderMoneyAccess,
  page: Pick<PaymentPage, 'id' | 'organisationId' | 'orderId'>,
  correlationId: string,
): Promise<void> {
  const { id: pageId, organisationId, orderId } = page;
  const change = { pageId, attached: false };
  try {
    await orders.attachPaymentPage(organisationId, orderId, change, { correlationId, clientId: CLIENT_ID });
  } catch (error) {
    if (!isFinal(error)) throw error;
  }
}

/** Spares the writes of a tie that is there already; while a capture runs they would be refused. */
export function isTied({ paymentPageId, expireAt, lock }: Order, page: PaymentPage): boolean {
  if (paymentPageId !== page.id) return false;
  return lock !== undefined || expireAt === undefined || expireAt >= orderLivesUntil(page.expireAt);
}

/** The page has ended unpaid, and its order still names it. */
export function isToDetach({ paymentPageId }: Order, page: PaymentPage): boolean {
  return paymentPageId === page.id && (page.status === 'EXPIRED' || page.status === 'CANCELLED');
}

/** Nothing that trying again could change. A lock ends. */
export function isFinal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status < 500 && error.code !== 'ORDER_LOCKED';
}
