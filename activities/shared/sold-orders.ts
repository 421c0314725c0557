/**
 * Orders as they were confirmed, version by version. Callers: tickets and receipts. Provided by the orders area. Types, and the
 * key of the interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { ConfirmedVersion, Order } from '../../workflows/orders/rules/order.ts';
import type { CustomerNumber, OrderId, OrganisationId } from '../../workflows/shared/ids.ts';

export interface SoldOrder {
  /** As it is now; a draft may have other content. */
  readonly order: Order;
  /** Never changes. Without the reasons of fees. */
  readonly version: ConfirmedVersion;
  /** The version that was confirmed before it. */
  readonly before?: ConfirmedVersion;
}

export interface SoldOrders {
  /** Undefined where there is no such order of the organisation, and where this version was never confirmed. */
  findSold(organisationId: OrganisationId | 'ANY', orderId: OrderId, version: number): Promise<SoldOrder | undefined>;
  /** The orders that name the customer as their contact, creator or a traveller; also after these were erased. */
  listNaming(organisationId: OrganisationId, customerNumber: CustomerNumber): AsyncIterable<OrderId>;
}

export const SOLD_ORDERS = interfaceKey<SoldOrders>('sold-orders');
