/** What every write of content has in common: version, expiry and the effects on seats. Pure. */

import type { ServiceError } from '../../shared/service-error.ts';
import { assertCallsFit } from './call-limit.ts';
import { assertContentFits } from './content-size.ts';
import { withRaisedExpiry } from './expiry-time.ts';
import { assertNotDue, assertWritable, invalid } from './guards.ts';
import type { Order, OrderContent } from './order.ts';
import { type Commanded, type OrderChange, unchanged } from './order-change.ts';
import type { OrderEvent } from './order-events.ts';
import { MAX_FEES, MAX_LINES, MAX_TRAVELLERS } from './order-limits.ts';
import { withSeatEffects } from './seat-effects.ts';

export interface ContentEdit {
  readonly content: Partial<OrderContent>;
  readonly events: readonly OrderEvent[];
}

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
  assertContentFits(after);
  return { order: withSeatEffects(order, withRaisedExpiry(after, now)), events: edited.events };
}

/** A confirmed order becomes the draft of its next version. Nothing is withdrawn for it yet, whatever an earlier build has left. */
function asDraft(order: Order): Order {
  if (order.status !== 'CONFIRMED') return order;
  const { withdrawal: _withdrawal, ...sold } = order;
  const version = order.highestVersion + 1;
  return { ...sold, status: 'DRAFT', version, highestVersion: version };
}

function assertWithinLimits({ orderLines, travellers, fees }: OrderContent): void {
  assertRoom({ lines: orderLines.length, travellers: travellers.length });
  if (fees.length > MAX_FEES) throw tooMany('/fees', MAX_FEES, 'fees');
}

/** What the order would have. Asked before seats are held, too: `pointer` names the member that makes them. */
export function assertRoom(
  { lines, travellers }: { readonly lines: number; readonly travellers: number },
  pointer?: string,
): void {
  if (lines > MAX_LINES) throw tooMany(pointer ?? '/orderLines', MAX_LINES, 'lines');
  if (travellers > MAX_TRAVELLERS) throw tooMany(pointer ?? '/travellers', MAX_TRAVELLERS, 'travellers');
}

function tooMany(pointer: string, most: number, what: string): ServiceError {
  return invalid(pointer, 'MAX_ITEMS', `must leave the order with at most ${most} ${what}`);
}
