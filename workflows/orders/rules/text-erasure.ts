/** Removes the sealed texts of an order: their key is destroyed. Pure. */
import type { Fee, Order } from './order.ts';
import { type OrderChange, unchanged } from './order-change.ts';

/** Nothing refuses it: an erasure must end. */
export function eraseTexts(order: Order): OrderChange {
  const { causeDescription, cancelReason, confirmed, ...rest } = order;
  const hasTexts = [order, ...(confirmed ? [confirmed] : [])].some(({ fees }) => fees.some(({ reason }) => reason));
  if (!hasTexts && !causeDescription && !cancelReason) return unchanged(order);
  const erased = { ...rest, fees: withoutReasons(order.fees) };
  return {
    order: confirmed ? { ...erased, confirmed: { ...confirmed, fees: withoutReasons(confirmed.fees) } } : erased,
    events: [],
  };
}

function withoutReasons(fees: readonly Fee[]): readonly Fee[] {
  return fees.map(({ reason: _reason, ...fee }) => fee);
}
