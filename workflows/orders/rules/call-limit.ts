/**
 * How many calls the rides of an order have. Its document holds the draft, the last confirmed version, and events that
 * have yet to be moved; together they stay below the 16 MB of a document. Pure.
 */
import { sumOf } from '../../shared/money.ts';
import { invalid } from './guards.ts';
import type { OrderLine } from './order.ts';

/** A call takes some 200 bytes: 20 travellers' round trip with 500 calls each way fits. */
export const MAX_CALLS = 20_000;

export function assertCallsFit(lines: readonly Pick<OrderLine, 'travelSpecification'>[]): void {
  const calls = lines.flatMap(({ travelSpecification }) => travelSpecification.legs.map((leg) => leg.calls.length));
  if (sumOf(calls) <= MAX_CALLS) return;
  throw invalid('/orderLines', 'MAX_ITEMS', `must not have rides with more than ${MAX_CALLS} calls in one order`);
}
