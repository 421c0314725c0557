/** The travellers of an order. */

import type { StoredOrder } from '../../activities/orders/order-types.ts';
import { assertCustomersOf } from '../../activities/orders/reserving-checks.ts';
import type { Order, OrderTraveller } from '../../workflows/orders/rules/order.ts';
import { addTravellers, removeTravellers, replaceTravellers } from '../../workflows/orders/rules/travellers.ts';
import type { TravellerId } from '../../workflows/shared/ids.ts';
import { idsOf } from '../shared/id-lists.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { presentTraveller } from './present-order.ts';
import { headOf } from './replies.ts';
import { ifMatchOf, targetOf, workOf } from './requests.ts';
import { readTravellers } from './traveller-requests.ts';

type TravellerOperations = Pick<Operations, 'addTravellers' | 'putTravellers' | 'deleteTravellers'>;
type Dependencies = Pick<OrdersDependencies, 'orders' | 'customers' | 'fares'>;

export function createTravellerOperations({ orders, customers, fares }: Dependencies): Handlers<TravellerOperations> {
  /** Writes the travellers of the body. */
  const write = async (
    context: Parameters<Handlers<TravellerOperations>['putTravellers' | 'addTravellers']>[0],
    command: typeof addTravellers,
  ) => {
    const target = targetOf(context);
    const { order } = await orders.get(...target);
    const work = await workOf(context);
    const travellers = await readTravellers(context.body, { fares, workId: work.workId, pointer: '' });
    await assertCustomersOf(customers, order.organisationId, travellers.filter(isNewCustomerOf(order)));
    const options = { ifMatch: ifMatchOf(context) };
    const stored = await orders.change(
      ...target,
      work,
      (current, now) => command(current, { travellers }, now),
      options,
    );
    return { stored, travellers };
  };
  return {
    addTravellers: async (context) => {
      const { stored, travellers } = await write(context, addTravellers);
      return { status: 201, ...headOf(stored), json: presentThose(stored, travellers) };
    },
    putTravellers: async (context) => {
      const { stored } = await write(context, replaceTravellers);
      return { status: 200, ...headOf(stored), json: stored.order.travellers.map(presentTraveller) };
    },
    deleteTravellers: async (context) => {
      const travellerIds = idsOf<TravellerId>(context.query.travellerIds);
      const options = { ifMatch: ifMatchOf(context) };
      const work = await workOf(context);
      const stored = await orders.change(
        ...targetOf(context),
        work,
        (order, now) => removeTravellers(order, { travellerIds }, now),
        options,
      );
      return { status: 200, ...headOf(stored), json: stored.order.travellers.map(presentTraveller) };
    },
  };
}

/** A traveller of a sold line keeps its customer, also when that has been erased since. */
function isNewCustomerOf(order: Pick<Order, 'travellers'>) {
  const known = new Map(order.travellers.map(({ id, customerNumber }) => [id, customerNumber]));
  return ({ id, customerNumber }: OrderTraveller) => known.get(id) !== customerNumber;
}

/** Also for a repeat that comes after other changes. */
function presentThose({ order }: StoredOrder, travellers: readonly OrderTraveller[]) {
  const ids = new Set(travellers.map(({ id }) => id));
  return order.travellers.filter(({ id }) => ids.has(id)).map(presentTraveller);
}
