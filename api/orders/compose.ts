/** Composes the orders area for the API process: orders, and reserving with its own document. Callers: api/server.ts, tests. */
import { OrderSearch } from '../../activities/orders/order-search.ts';
import { OrderStore } from '../../activities/orders/order-store.ts';
import { CATALOGUE } from '../../activities/shared/catalogue.ts';
import { CUSTOMERS } from '../../activities/shared/customers.ts';
import { EVENT_HISTORY } from '../../activities/shared/event-history.ts';
import { FARES } from '../../activities/shared/fares.ts';
import { OFFERS } from '../../activities/shared/offers.ts';
import { ORDER_PAYMENTS } from '../../activities/shared/order-payments.ts';
import { REFUND_STATES } from '../../activities/shared/refund-states.ts';
import { SEATING } from '../../activities/shared/seating.ts';
import { TICKETS } from '../../activities/shared/tickets.ts';
import { TIMETABLE } from '../../activities/shared/timetable.ts';
import type { StoreBase } from '../../platform/area.ts';
import type { Interfaces } from '../../platform/interfaces.ts';
import { openSubjectKeys, subjectKeysShape } from '../../platform/personal/subject-keys-config.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { createReservingArea } from './reserving.ts';
import { createOrdersArea } from './routes.ts';

export async function composeOrders(
  base: StoreBase & { readonly interfaces: Interfaces },
  now: () => Date = () => new Date(),
): Promise<OrdersDependencies> {
  const { mongo: connection, eventEnvironment: environment, log, interfaces } = base;
  const keys = await openSubjectKeys(base);
  const seating = interfaces.get(SEATING);
  const orders = new OrderStore({ connection, environment, keys, seats: () => seating, log, now });
  const [fares, customers] = [interfaces.get(FARES), interfaces.get(CUSTOMERS)];
  return {
    orders,
    payments: () => interfaces.find(ORDER_PAYMENTS),
    tickets: () => interfaces.get(TICKETS),
    refunds: () => interfaces.find(REFUND_STATES),
    now,
    search: new OrderSearch({ connection, keys }),
    history: interfaces.get(EVENT_HISTORY),
    customers,
    catalogue: interfaces.get(CATALOGUE),
    fares,
    timetable: interfaces.get(TIMETABLE),
    reserving: { orders, offers: interfaces.get(OFFERS), seating, fares, customers, now },
  };
}

export const composition: AreaComposition = {
  config: subjectKeysShape,
  compose: async (base) => {
    const dependencies = await composeOrders(base);
    return { area: createOrdersArea(dependencies), furtherDocuments: [createReservingArea(dependencies)] };
  },
};
