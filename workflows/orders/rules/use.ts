/** What tickets tell an order: a line was used. Pure. */
import type { OrderLineId } from '../../shared/ids.ts';
import type { OrderLine } from './order.ts';
import { type OrderCommand, unchanged } from './order-change.ts';

/** A fact, which nothing refuses: marks the line in the draft and in the version that was sold. The first use counts. */
export const noteUse: OrderCommand<{ readonly orderLineId: OrderLineId; readonly usedAt: Date }> = (
  order,
  { orderLineId, usedAt },
  _now,
) => {
  const isUnused = ({ id, usedAt: earlier }: OrderLine) => id === orderLineId && earlier === undefined;
  const mark = (lines: readonly OrderLine[]) => lines.map((line) => (isUnused(line) ? { ...line, usedAt } : line));
  const { confirmed } = order;
  if (![...order.orderLines, ...(confirmed?.orderLines ?? [])].some(isUnused)) return unchanged(order);
  return {
    order: {
      ...order,
      orderLines: mark(order.orderLines),
      ...(confirmed && { confirmed: { ...confirmed, orderLines: mark(confirmed.orderLines) } }),
    },
    events: [],
  };
};
