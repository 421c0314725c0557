/** When a draft ends. Pure. */
import type { Order } from './order.ts';

export const DRAFT_LIFE_MS = 20 * 60_000;
/** From the moment that a payment terminal opens. */
export const TERMINAL_LIFE_MS = 45 * 60_000;

/** The order as it is after a write of content: its time is raised, and ends at the departure of a line with a seat. */
export function withRaisedExpiry(order: Order, now: Date, lifeMs = DRAFT_LIFE_MS): Order {
  const { expireAt, expireAtSet, ...rest } = order;
  if (holdsOnlyPenalties(order)) return rest;
  const raised = new Date(Math.max(expireAt?.getTime() ?? 0, now.getTime() + lifeMs));
  if (expireAtSet) return { ...rest, expireAt: raised, expireAtSet };
  return { ...rest, expireAt: earlier(raised, firstSeatDeparture(order, now)) };
}

/** Such an order is a claim, and waits until it is paid. */
export function holdsOnlyPenalties({ orderLines, fees }: Pick<Order, 'orderLines' | 'fees'>): boolean {
  return orderLines.length === 0 && fees.length > 0 && fees.every(({ type }) => type === 'PENALTY');
}

/** Of seats that are held and not sold yet. Departures that have passed limit nothing: the line is sold on board. */
function firstSeatDeparture({ orderLines, reservations }: Order, now: Date): Date | undefined {
  const drafts = new Set(orderLines.filter(({ status }) => status === 'DRAFT').map(({ id }) => id));
  return reservations
    .filter(({ orderLineId }) => drafts.has(orderLineId))
    .map(({ departure }) => departure)
    .filter((departure) => departure.getTime() > now.getTime())
    .reduce<Date | undefined>((first, departure) => earlier(departure, first), undefined);
}

function earlier(time: Date, other: Date | undefined): Date {
  return other && other.getTime() < time.getTime() ? other : time;
}
