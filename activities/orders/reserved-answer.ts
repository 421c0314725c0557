/** What a reserving request has made, told from the order: also for a repeat, whose offers may be gone. */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { MAX_LINES } from '../../workflows/orders/rules/order-limits.ts';
import type { DerivedIds } from '../../workflows/orders/rules/reserving/wanted-offer.ts';
import type { OrderId, OrderLineId } from '../../workflows/shared/ids.ts';
import type { StoredOrder } from './order-types.ts';
import type { Reserved } from './reserving-types.ts';

/** Ids that are the same in every attempt of a request. */
export function derivedIds(workId: string, orderId: OrderId): DerivedIds {
  return {
    ofWork: (name) => workItemId(workId, name),
    ofOrder: (name) => workItemId(orderId, name),
  };
}

/** The lines with these ids that the order has, in the order of the ids. */
export function answerOf(stored: StoredOrder, lineIds: readonly OrderLineId[]): Reserved {
  const byId = new Map(stored.order.orderLines.map((line) => [line.id, line]));
  const lines = [...new Set(lineIds)].flatMap((id) => byId.get(id) ?? []);
  return {
    stored,
    orderLineIds: lines.map(({ id }) => id),
    reservationIds: lines.flatMap(({ reservationIds }) => reservationIds),
  };
}

/** Every id that the lines of one offer of the request may have. */
export function possibleLineIds({ ofWork }: DerivedIds, position: number): readonly OrderLineId[] {
  // More than any request makes.
  return Array.from({ length: MAX_LINES }, (_, at) => ofWork(lineName(position, at)) as OrderLineId);
}

function lineName(position: number, at: number): string {
  return `line/${position}/${at}`;
}
