/** How each operation finds the order that its path names, for this caller. */
import type { Finds } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { type OrderRequest, targetOf } from './requests.ts';

/** A line is part of its order: an unknown one is a fault of the request. */
export function createFinds({ orders }: Pick<OrdersDependencies, 'orders'>): Finds<Operations> {
  const order = async (request: OrderRequest) => await orders.require(...targetOf(request));
  return {
    getOrder: order,
    putContactInfo: order,
    putExternalReference: order,
    putSpecialOrderCause: order,
    deleteSpecialOrderCause: order,
    putExpireAt: order,
    addTravellers: order,
    putTravellers: order,
    deleteTravellers: order,
    addOrderLines: order,
    putOrderLines: order,
    deleteOrderLines: order,
    cancelOrderLines: order,
    putOrderLine: order,
    deleteOrderLine: order,
    cancelOrderLine: order,
    addFee: order,
    deleteFee: order,
    confirmOrder: order,
    cancelOrder: order,
    resetOrder: order,
    listOrderEvents: order,
  };
}
