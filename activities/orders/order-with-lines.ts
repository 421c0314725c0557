/** New orders that begin with reserved lines. Caller: reserving.ts. */
import { createOrder } from '../../workflows/orders/rules/creation.ts';
import { combine } from '../../workflows/orders/rules/order-change.ts';
import { type ReservedLines, reserveLines } from '../../workflows/orders/rules/reserving/reserve-lines.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderWork } from '../shared/orders.ts';
import { orderIdOf } from './order-id.ts';
import type { OrderStore } from './order-store.ts';
import type { StoredOrder } from './order-types.ts';
import type { ReserveRequest } from './reserving-types.ts';

const MAX_ATTEMPTS = 20;

/** Seats are held for an order before it exists. */
export async function findFreeId(orders: OrderStore, { workId }: Pick<OrderWork, 'workId'>): Promise<OrderId> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const free = orderIdOf(workId, attempt);
    if (!(await orders.find('ANY', free))) return free;
  }
  throw noFreeId();
}

/** The caller has found no order of this work. `linesAt` gets the time of the write. Repeated with the same work it answers the order that was made. */
export async function insertWithLines(
  orders: OrderStore,
  { organisationId, channel, pos, work }: ReserveRequest,
  orderId: OrderId,
  linesAt: (now: Date) => ReservedLines,
): Promise<StoredOrder> {
  const make = (now: Date) => {
    const lines = linesAt(now);
    const created = createOrder(
      {
        id: orderId,
        organisationId,
        distributionChannelId: channel.id,
        currency: channel.currency,
        ...(pos !== undefined && { pos }),
      },
      now,
    );
    const reserved = combine(created.order, [(order) => reserveLines(order, lines, now)]);
    return { order: reserved.order, events: [...created.events, ...reserved.events] };
  };
  const stored = await orders.insert(organisationId, work, orderId, make, { isLookedFor: true });
  if (!stored) throw noFreeId();
  return stored;
}

/** Another order got the id meanwhile; its next attempt takes another one. */
function noFreeId(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'No order number was found; try again.', { headers: { 'retry-after': '1' } });
}
