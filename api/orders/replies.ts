/**
 * The answers of this area, each with the order's `ETag`. One with free texts names the order as their subject, so that a
 * stored answer is erased with the order's key.
 */

import type { StoredOrder } from '../../activities/orders/order-types.ts';
import { ORDER } from '../../activities/shared/order-kind.ts';
import { revisionEtag } from '../shared/etags.ts';
import { presentOrder } from './present-order.ts';

export const ORDERS_PATH = '/v1/orders';

export function orderReply(stored: StoredOrder) {
  return { status: 200 as const, ...headOf(stored), json: presentOrder(stored) };
}

export function createdOrderReply(stored: StoredOrder) {
  const { headers, ...head } = headOf(stored);
  const location = `${ORDERS_PATH}/${stored.order.id}`;
  return { status: 201 as const, ...head, headers: { ...headers, location }, json: presentOrder(stored) };
}

/** Headers and subject of any answer about the order. */
export function headOf({ order, revision, texts }: StoredOrder) {
  const hasTexts =
    texts.feeReasons.size > 0 || texts.causeDescription !== undefined || texts.cancelReason !== undefined;
  return {
    headers: { etag: revisionEtag({ version: order.version, revision }) },
    ...(hasTexts && { subject: ORDER.subjectOf(order.id) }),
  };
}
