/** What a timetable tells an order: a journey of its lines no longer runs as it was sold. Pure. */
import type { Disruption, DisruptionCause, OrderLine } from './order.ts';
import { type OrderCommand, unchanged } from './order-change.ts';
import type { OrderEvent } from './order-events.ts';

export interface Disrupted {
  /** Undefined: the line runs as it was sold, or is not on the journey. */
  readonly causeOf: (line: OrderLine) => DisruptionCause | undefined;
}

const SEVERITY: Readonly<Record<DisruptionCause, number>> = { RESCHEDULED: 1, WITHDRAWN: 2 };

/**
 * A fact, which no lock and no state of a live order refuses: marks lines of the draft and of the version that was sold. A cause
 * replaces a lesser one alone, so each is told once. Without an effect on an order that has ended, and on cancelled lines.
 */
export const noteDisruption: OrderCommand<Disrupted> = (order, { causeOf }, now) => {
  if (order.status === 'CANCELLED' || order.status === 'EXPIRED') return unchanged(order);
  const told = new Map<OrderLine['id'], DisruptionCause>();
  const marked = (line: OrderLine): OrderLine => {
    const cause = line.status === 'CANCELLED' ? undefined : causeOf(line);
    if (cause === undefined || !isWorse(cause, line.disruption?.cause)) return line;
    if (isWorse(cause, told.get(line.id))) told.set(line.id, cause);
    const disruption: Disruption = { cause, at: line.disruption?.at ?? now };
    return { ...line, disruption };
  };
  const orderLines = order.orderLines.map(marked);
  const sold = order.confirmed?.orderLines.map(marked);
  if (told.size === 0) return unchanged(order);
  const events = [...told].map(
    ([orderLineId, cause]): OrderEvent => ({
      type: 'OrderLineDisrupted',
      orderVersion: order.version,
      orderLineId,
      cause,
    }),
  );
  return {
    order: {
      ...order,
      orderLines,
      ...(order.confirmed && sold && { confirmed: { ...order.confirmed, orderLines: sold } }),
    },
    events,
  };
};

function isWorse(cause: DisruptionCause, before: DisruptionCause | undefined): boolean {
  return before === undefined || SEVERITY[cause] > SEVERITY[before];
}
