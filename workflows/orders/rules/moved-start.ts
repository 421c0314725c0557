/**
 * A start of validity that was moved after the sale. The line keeps the validity that it was sold with, and remembers the other one.
 * Callers: tickets, which tell of it; the rules whose windows count from a start. Pure.
 */
import type { OrderLineId } from '../../shared/ids.ts';
import type { OrderLine, TravelSpecification } from './order.ts';
import { type OrderCommand, unchanged } from './order-change.ts';

export interface ToldStart {
  readonly orderLineId: OrderLineId;
  readonly movedStart: NonNullable<OrderLine['movedStart']>;
}

/** A fact, which nothing refuses: marks the line in the draft and in the version that was sold. The last move counts. */
export const noteMovedStart: OrderCommand<ToldStart> = (order, { orderLineId, movedStart }, _now) => {
  const isBehind = ({ id, movedStart: told }: OrderLine) =>
    id === orderLineId && (told === undefined || told.reissue < movedStart.reissue);
  const mark = (lines: readonly OrderLine[]) => lines.map((line) => (isBehind(line) ? { ...line, movedStart } : line));
  const { confirmed } = order;
  if (![...order.orderLines, ...(confirmed?.orderLines ?? [])].some(isBehind)) return unchanged(order);
  return {
    order: {
      ...order,
      orderLines: mark(order.orderLines),
      ...(confirmed && { confirmed: { ...confirmed, orderLines: mark(confirmed.orderLines) } }),
    },
    events: [],
  };
};

/**
 * What windows count from: the validity that was sold, or that of the tickets where it begins earlier. A move to a later
 * start opens no window that has closed.
 */
export function validityOf({
  travelSpecification: { startOfValidity, endOfValidity },
  movedStart,
}: Pick<OrderLine, 'travelSpecification' | 'movedStart'>): Pick<
  TravelSpecification,
  'startOfValidity' | 'endOfValidity'
> {
  const sold = { startOfValidity, endOfValidity };
  if (!movedStart || !isSame(sold, movedStart.of)) return sold;
  const earlierMs = startOfValidity.getTime() - movedStart.to.getTime();
  if (earlierMs <= 0) return sold;
  return { startOfValidity: movedStart.to, endOfValidity: new Date(endOfValidity.getTime() - earlierMs) };
}

type Validity = ReturnType<typeof validityOf>;

/** A line that was exchanged for one with another validity takes that one. */
function isSame(one: Validity, other: Validity): boolean {
  return (
    one.startOfValidity.getTime() === other.startOfValidity.getTime() &&
    one.endOfValidity.getTime() === other.endOfValidity.getTime()
  );
}
