/**
 * A start of validity that was moved after the sale. The line keeps the validity that it was sold with, and remembers the other one.
 * Callers: tickets, which tell of it; the rules whose windows count from a start. Pure.
 */
import type { OrderLineId } from '../../shared/ids.ts';
import { departsWithin } from './departs-within.ts';
import type { MovedStart, OrderLine, TravelSpecification } from './order.ts';
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

type Validity = Pick<TravelSpecification, 'startOfValidity' | 'endOfValidity'>;
type MovedLine = Pick<OrderLine, 'travelSpecification'>;

/** The ticket keeps its length. */
export function startingAt({ startOfValidity: from, endOfValidity }: Validity, startOfValidity: Date): Validity {
  return {
    startOfValidity,
    endOfValidity: new Date(startOfValidity.getTime() + endOfValidity.getTime() - from.getTime()),
  };
}

/**
 * The validity that the line's tickets were moved to. Undefined: it has ended. It lasts while the line is sold with the validity
 * that was moved, and travels within the other one.
 */
export function movedValidity({ travelSpecification: sold }: MovedLine, { to, of }: MovedStart): Validity | undefined {
  const moved = startingAt(sold, to);
  const isOfSold =
    sold.startOfValidity.getTime() === of.startOfValidity.getTime() &&
    sold.endOfValidity.getTime() === of.endOfValidity.getTime();
  const travelsWithin = sold.legs.every((leg) => departsWithin(leg, moved.startOfValidity, moved.endOfValidity));
  return isOfSold && travelsWithin ? moved : undefined;
}

/** What is remembered once the line is sold: a move that has ended does so for good. */
export function moveOfSold<Move extends MovedStart>(line: MovedLine, move: Move): Move {
  if (movedValidity(line, move)) return move;
  const { startOfValidity, endOfValidity } = line.travelSpecification;
  return { ...move, to: startOfValidity, of: { startOfValidity, endOfValidity } };
}

/**
 * What windows count from: the validity that was sold, or that of the tickets where it begins earlier. A move to a later
 * start opens no window that has closed.
 */
export function validityOf(line: Pick<OrderLine, 'travelSpecification' | 'movedStart'>): Validity {
  const { startOfValidity, endOfValidity } = line.travelSpecification;
  const moved = line.movedStart && movedValidity(line, line.movedStart);
  return moved && moved.startOfValidity < startOfValidity ? moved : { startOfValidity, endOfValidity };
}
