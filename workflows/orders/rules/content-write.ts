/** What every write of content has in common: version, expiry and the effects on seats. Pure. */

import { assertCallsFit } from './call-limit.ts';
import { withRaisedExpiry } from './expiry-time.ts';
import { assertNotDue, assertWritable, invalid } from './guards.ts';
import type { Order, OrderContent } from './order.ts';
import { type Commanded, type OrderChange, unchanged } from './order-change.ts';
import type { OrderEvent } from './order-events.ts';
import { withSeatEffects } from './seat-effects.ts';

export interface ContentEdit {
  readonly content: Partial<OrderContent>;
  readonly events: readonly OrderEvent[];
}

/** Limits that keep an order's document small; see package.md of activities/orders. */
export const MAX_LINES = 200;
export const MAX_TRAVELLERS = 200;
export const MAX_FEES = 200;

/**
 * `edit` gets the order as the draft that is written, so that events have its version. It answers undefined when there
 * is nothing to change: then no version begins.
 */
export function writeContent(
  order: Order,
  command: Commanded,
  now: Date,
  edit: (draft: Order) => ContentEdit | undefined,
): OrderChange {
  assertWritable(order, command);
  assertNotDue(order, now);
  const draft = asDraft(order);
  const edited = edit(draft);
  if (!edited) return unchanged(order);
  const after = { ...draft, ...edited.content };
  assertWithinLimits(after);
  assertCallsFit(after.orderLines);
  return { order: withSeatEffects(order, withRaisedExpiry(after, now)), events: edited.events };
}

/** A confirmed order becomes the draft of its next version. */
function asDraft(order: Order): Order {
  if (order.status !== 'CONFIRMED') return order;
  const version = order.highestVersion + 1;
  return { ...order, status: 'DRAFT', version, highestVersion: version };
}

function assertWithinLimits({ orderLines, travellers, fees }: OrderContent): void {
  if (orderLines.length > MAX_LINES) throw invalid('/orderLines', 'MAX_ITEMS', `: an order has at most ${MAX_LINES}`);
  if (travellers.length > MAX_TRAVELLERS) {
    throw invalid('/travellers', 'MAX_ITEMS', `: an order has at most ${MAX_TRAVELLERS}`);
  }
  if (fees.length > MAX_FEES) throw invalid('/fees', 'MAX_ITEMS', `: an order has at most ${MAX_FEES}`);
}
