/**
 * Reserves offers: validates, holds the seats of every ride, writes the order once, answers. Every id follows from the
 * request, so a repeat after a crash holds the same seats and makes the same lines. Callers: the handlers of the API.
 */
import { assertRoom } from '../../workflows/orders/rules/content-write.ts';
import { assertNotDue, assertWritable } from '../../workflows/orders/rules/guards.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { type PlannedLine, planLines } from '../../workflows/orders/rules/reserving/offer-lines.ts';
import { OrderTravellers } from '../../workflows/orders/rules/reserving/order-travellers.ts';
import { reserveLines } from '../../workflows/orders/rules/reserving/reserve-lines.ts';
import type { DerivedIds } from '../../workflows/orders/rules/reserving/wanted-offer.ts';
import type { OrderId, OrderLineId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { holdAndWrite } from './held-write.ts';
import type { StoredOrder } from './order-types.ts';
import { findFreeId, insertWithLines } from './order-with-lines.ts';
import { answerOf, derivedIds, possibleLineIds } from './reserved-answer.ts';
import type { Budget } from './reserving-budget.ts';
import { assertCustomersOf, assertSeatsOffered, findSaleableOffers } from './reserving-checks.ts';
import type { Reserved, ReserveRequest, ReservingDependencies } from './reserving-types.ts';

interface Target {
  readonly orderId: OrderId;
  /** Absent: it is created. */
  readonly order?: Order;
}

interface Plan {
  readonly lines: readonly PlannedLine[];
  readonly travellers: OrderTravellers;
}

export async function reserveOffers(
  dependencies: ReservingDependencies,
  request: ReserveRequest,
  budget: Budget,
): Promise<Reserved> {
  const found = await lookUp(dependencies, request);
  if ('done' in found)
    return answerOf(found.done, lineIdsOf(request, derivedIds(request.work.workId, found.done.order.id)));
  const { target } = found;
  const plan = await planLinesOf(dependencies, request, target);
  const { order, orderId } = target;
  const stored = await holdAndWrite({
    seating: dependencies.seating,
    request: {
      organisationId: order?.organisationId ?? request.organisationId,
      orderId,
      workId: request.work.workId,
      heldAt: dependencies.now(),
    },
    seats: plan.lines.flatMap(({ seats }) => seats),
    budget,
    write: async (reservations, assertHeld) => {
      const lines = { lines: plan.lines.map(({ line }) => line), reservations };
      const command = { ...lines, travellers: plan.travellers.used };
      if (order) {
        const decide = (current: Order, now: Date) => {
          assertHeld(now);
          return reserveLines(current, command, now);
        };
        return await dependencies.orders.change(request.tenancy, orderId, request.work, decide, {
          ifMatch: request.ifMatch,
        });
      }
      return await insertWithLines(dependencies.orders, request, orderId, (now) => {
        assertHeld(now);
        return command;
      });
    },
  });
  return answerOf(
    stored,
    plan.lines.map(({ line }) => line.id),
  );
}

/** `done`: the order with what an earlier attempt of this request has made. */
async function lookUp(
  dependencies: ReservingDependencies,
  request: ReserveRequest,
): Promise<{ readonly done: StoredOrder } | { readonly target: Target }> {
  const { orders } = dependencies;
  const { orderId, tenancy, organisationId, work } = request;
  if (orderId !== undefined) {
    if (await orders.isDone(tenancy, orderId, work)) return { done: await orders.get(tenancy, orderId) };
    return { target: await findTarget(dependencies, request, orderId) };
  }
  // At once, since few requests are repeated.
  const [done, freeId] = await Promise.all([orders.findCreated(organisationId, work), findFreeId(orders, work)]);
  return done ? { done } : { target: { orderId: freeId } };
}

async function findTarget(
  { orders, now }: ReservingDependencies,
  { tenancy, ifMatch }: ReserveRequest,
  orderId: OrderId,
): Promise<Target> {
  const { order, revision } = await orders.get(tenancy, orderId);
  ifMatch?.({ version: order.version, revision });
  assertWritable(order, {});
  assertNotDue(order, now());
  return { order, orderId };
}

async function planLinesOf(
  { offers, customers, fares, now }: ReservingDependencies,
  request: ReserveRequest,
  { order, orderId }: Target,
): Promise<Plan> {
  const { wanted, lineIds, channel } = request;
  const organisationId = order?.organisationId ?? request.organisationId;
  const found = await findSaleableOffers(offers, {
    organisationId,
    channelId: channel.id,
    offerIds: wanted.map(({ offerId }) => offerId),
    member: 'offerConfigurations',
    currency: order?.currency ?? channel.currency,
    now: now(),
  });
  assertSeatsOffered(found, await fares.lately());
  const ids = derivedIds(request.work.workId, orderId);
  const travellers = new OrderTravellers(order?.travellers ?? [], ids);
  let made = 0;
  const lines = found.flatMap((offer, position) => {
    const first = made;
    const pointer = `/offerConfigurations/${position}`;
    const naming = { ids, position, pointer, lineId: (at: number) => lineIds?.[first + at] };
    const planned = planLines(offer, wanted[position] as (typeof wanted)[number], travellers, naming);
    made += planned.length;
    return planned;
  });
  assertLineIds(lineIds, made);
  assertRoom({ lines: (order?.orderLines.length ?? 0) + made, travellers: travellers.count }, '/offerConfigurations');
  await assertCustomersOf(customers, organisationId, travellers.used);
  return { lines, travellers };
}

function assertLineIds(lineIds: readonly OrderLineId[] | undefined, lines: number): void {
  if (lineIds === undefined || lineIds.length === lines) return;
  const detail = `must name ${lines} ids: one for each new line`;
  throw new ServiceError('VALIDATION_FAILED', `/orderLineIds ${detail}.`, {
    status: 422,
    errors: [{ pointer: '/orderLineIds', code: 'LENGTH', detail }],
  });
}

function lineIdsOf({ wanted, lineIds }: ReserveRequest, ids: DerivedIds): readonly OrderLineId[] {
  return lineIds ?? wanted.flatMap((_, position) => possibleLineIds(ids, position));
}
