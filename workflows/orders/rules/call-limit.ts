/** Refuses an order whose rides have too many calls. Pure. */
import { sumOf } from '../../shared/money.ts';
import { invalid } from './guards.ts';
import type { OrderLine } from './order.ts';
import { MAX_CALLS } from './order-limits.ts';

export function assertCallsFit(lines: readonly Pick<OrderLine, 'travelSpecification'>[]): void {
  const calls = lines.flatMap(({ travelSpecification }) => travelSpecification.legs.map((leg) => leg.calls.length));
  if (sumOf(calls) <= MAX_CALLS) return;
  throw invalid('/orderLines', 'MAX_ITEMS', `must not have rides with more than ${MAX_CALLS} calls in one order`);
}
