/** What a command answers, and how several commands become one change. Pure. */
import type { Order } from './order.ts';
import { isCollectionEvent, type OrderEvent } from './order-events.ts';

export interface OrderChange {
  readonly order: Order;
  readonly events: readonly OrderEvent[];
}

/** Members that every command has. */
export interface Commanded {
  /** Of the workflow that writes: its own lock does not stop it. */
  readonly lockOwner?: string;
}

/** A command on an existing order. It refuses by throwing a ServiceError; without an effect it answers the same order. */
export type OrderCommand<Command> = (order: Order, command: Command & Commanded, now: Date) => OrderChange;

export function unchanged(order: Order): OrderChange {
  return { order, events: [] };
}

export function hasEffect(before: Order, { order, events }: OrderChange): boolean {
  return order !== before || events.length > 0;
}

/**
 * Several commands as one write: each sees what those before it have made. Collection events follow all single events,
 * and those of one type become one.
 */
export function combine(order: Order, steps: readonly ((order: Order) => OrderChange)[]): OrderChange {
  let current = order;
  const events: OrderEvent[] = [];
  for (const step of steps) {
    const change = step(current);
    current = change.order;
    events.push(...change.events);
  }
  return { order: current, events: inWireOrder(events) };
}

/** Single events first; collection events of one type become one. */
export function inWireOrder(events: readonly OrderEvent[]): readonly OrderEvent[] {
  const collections = new Map<string, OrderEvent>();
  for (const event of events.filter(isCollectionEvent)) {
    const earlier = collections.get(event.type);
    const orderLines =
      earlier && 'orderLines' in earlier ? [...earlier.orderLines, ...event.orderLines] : event.orderLines;
    collections.set(event.type, { ...event, orderLines });
  }
  return [...events.filter((event) => !isCollectionEvent(event)), ...collections.values()];
}
