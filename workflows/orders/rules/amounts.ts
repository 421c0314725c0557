/** The amounts of an order, computed from its content and its money. Pure. */
import { multiplyRounded, sumOf } from '../../shared/money.ts';
import type { Order, OrderContent, OrderLine, OrderMoney } from './order.ts';

type Priced = Pick<OrderContent, 'orderLines' | 'fees'>;

/** Lines that are paid for. */
export function isLive({ status }: Pick<OrderLine, 'status'>): boolean {
  return status === 'DRAFT' || status === 'CONFIRMED';
}

export function totalAmountMinor({ orderLines, fees }: Priced): number {
  const lines = orderLines
    .filter(isLive)
    .map(({ price, refundedShareMinor }) => price.amountMinor - refundedShareMinor);
  return sumOf([...lines, ...fees.map(({ price }) => price.amountMinor)]);
}

export function totalTaxMinor({ orderLines, fees }: Priced): number {
  return sumOf([...orderLines.filter(isLive).map(lineTaxMinor), ...fees.map(({ price }) => price.taxMinor)]);
}

/** The tax of what refunds have left of the price. */
export function lineTaxMinor({ price, refundedShareMinor }: OrderLine): number {
  if (refundedShareMinor === 0) return price.taxMinor;
  return multiplyRounded(price.taxMinor, price.amountMinor - refundedShareMinor, price.amountMinor);
}

/** What the service has of the customer. */
export function heldMinor({ capturedMinor, creditedMinor }: OrderMoney): number {
  return capturedMinor - creditedMinor;
}

/** Positive: the customer owes it. Negative: it is owed to the customer. */
export function balanceMinor(
  order: Priced & Pick<Order, 'money'> & Partial<Pick<Order, 'status' | 'confirmed'>>,
): number {
  const wasNeverSold = order.status !== undefined && hasEnded({ status: order.status }) && !order.confirmed;
  return (wasNeverSold ? 0 : totalAmountMinor(order)) - heldMinor(order.money);
}

/** Its seats are given up; a draft that ended is owed by nobody. */
export function hasEnded({ status }: Pick<Order, 'status'>): boolean {
  return status === 'EXPIRED' || status === 'CANCELLED';
}

/** The money beyond what the version costs that this draft falls back to: it must be credited before the draft ends. */
export function excessMinor({ money, confirmed }: Pick<Order, 'money' | 'confirmed'>): number {
  return heldMinor(money) - (confirmed ? totalAmountMinor(confirmed) : 0);
}
