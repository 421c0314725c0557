/** Plays captures whose order changes while the provider captures: it cannot be confirmed with that money. */
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { sampleFee } from '../../support/sample-orders.ts';
import { until } from '../../support/until.ts';
import type { MoneyWorld, PaidPlace } from './money-world.ts';

export async function capturedInVain(
  world: MoneyWorld,
  card: string,
  pageId?: string,
  order?: Order,
): Promise<PaidPlace> {
  const place = await world.authorised(card, { ...(pageId !== undefined && { pageId }), ...(order && { order }) });
  return await refusedAfter(world, place, pageId);
}

/** Of a transaction that is authorised. Ends with the workflow of its capture. By default the order loses its seat. */
export async function refusedAfter(
  world: MoneyWorld,
  place: PaidPlace,
  pageId?: string,
  changed: (order: Order) => Order = withoutSeat,
): Promise<PaidPlace> {
  await world.fault({ call: 'capture', mode: 'SLOW', count: 1, delayMs: 1_500 });
  const captures = (pageId === undefined ? world.capture(place) : world.callback(place)).catch(() => undefined);
  await until(async () => (await world.transaction(place)).intent !== undefined, { what: 'the capture' });
  await world.fixture.change(place.orderId, (order) => ({ order: changed(order), events: [] }));
  await captures;
  await world.ended(place);
  return place;
}

function withoutSeat(order: Order): Order {
  return {
    ...order,
    reservations: [],
    orderLines: order.orderLines.map((line) => ({
      ...line,
      reservationIds: [],
      status: 'DRAFT' as const,
      compulsoryLegIds: line.travelSpecification.legs.map(({ legId }) => legId),
    })),
  };
}

/** No caller can do it while the order is locked. */
export function withFee(order: Order): Order {
  return { ...order, fees: [...order.fees, { ...sampleFee('MANUAL', 2_500), orderVersion: order.version }] };
}
