/** The version of an order that is sold at this moment, as tickets follow it. Pure. */
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { FareProduct } from '../../workflows/shared/fares.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Sold } from '../../workflows/tickets/rules/line-tickets.ts';
import { verifySale } from '../../workflows/tickets/rules/verification.ts';
import { UnverifiedOrder } from './unverified-order.ts';

/** A cancelled order has no lines left. Throws INVALID_STATE for an order that was never confirmed. */
export function soldOf(order: Order, fareProducts: readonly FareProduct[]): Sold {
  const { confirmed, status } = order;
  if (!confirmed) throw new ServiceError('INVALID_STATE', 'The order was never confirmed, so it has no tickets.');
  const version = status === 'CANCELLED' ? { ...confirmed, orderLines: [], reservations: [] } : confirmed;
  return { order, version, products: new Map(fareProducts.map((product) => [product.id, product])) };
}

/** Differs as soon as something else is sold. */
export function saleOf({ confirmed, status }: Order): string {
  return `${confirmed?.version}/${status === 'CANCELLED'}`;
}

/** Throws UnverifiedOrder. */
export function assertVerified(order: Order, { version }: Pick<Sold, 'version'>, now: Date): void {
  const faults = verifySale(order, version, now);
  if (faults.length > 0) throw new UnverifiedOrder(order.id, faults);
}
