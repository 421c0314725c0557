/** Reserving as one write of the order: travellers that it lacks, then the new lines with their seats. Pure. */
import { addLines, type NewLines } from '../lines.ts';
import type { Order, OrderTraveller } from '../order.ts';
import { combine, type OrderChange, type OrderCommand } from '../order-change.ts';
import { addTravellers, replaceTravellers } from '../travellers.ts';

export interface ReservedLines extends NewLines {
  /** Of the lines; those that are on the order may have become a customer. */
  readonly travellers: readonly OrderTraveller[];
}

export const reserveLines: OrderCommand<ReservedLines> = (order, command, now) => {
  const { travellers, ...lines } = command;
  return combine(order, [
    (current) => withTravellers(current, travellers, now),
    (current) => addLines(current, { ...command, ...lines }, now),
  ]);
};

/** Another request may have added them meanwhile. */
export function withTravellers(order: Order, travellers: readonly OrderTraveller[], now: Date): OrderChange {
  const present = new Map(order.travellers.map((traveller) => [traveller.id, traveller]));
  const added = travellers.filter(({ id }) => !present.has(id));
  const named = new Map(
    travellers
      .filter(({ id, customerNumber }) => present.has(id) && present.get(id)?.customerNumber !== customerNumber)
      .map((traveller) => [traveller.id, traveller]),
  );
  return combine(order, [
    (current) => addTravellers(current, { travellers: added }, now),
    (current) =>
      named.size === 0
        ? { order: current, events: [] }
        : replaceTravellers(
            current,
            { travellers: current.travellers.map((traveller) => named.get(traveller.id) ?? traveller) },
            now,
          ),
  ]);
}
