/** What of an order may be refunded now, line by line. A refund that names an option gives exactly its amount. Pure. */
import type { Order } from '../../orders/rules/order.ts';
import { soldLine } from '../../orders/rules/reserving/change-groups.ts';
import type { RefundRule } from '../../shared/fares.ts';
import type { OrderLineId } from '../../shared/ids.ts';
import { shareOf, unusedLegIds } from './line-shares.ts';
import type { PlannedOperation } from './refund.ts';
import { isJourneyBound, planEach, type RefundFacts } from './refund-plan.ts';
import { ruleNow, withUse } from './refund-terms.ts';

export interface RefundOption extends PlannedOperation {
  readonly rule: RefundRule;
  readonly expiresAt: Date;
}

/** `orderLineIds`: only these. Lines without an option are left out. */
export function refundOptions(
  facts: RefundFacts,
  { orderLineIds }: { readonly orderLineIds?: readonly OrderLineId[] },
  now: Date,
): readonly RefundOption[] {
  const asSold = soldOrder(facts.order);
  if (!asSold) return [];
  return asSold.orderLines
    .filter(({ id, status }) => status === 'CONFIRMED' && (orderLineIds?.includes(id) ?? true))
    .flatMap((line) => {
      const sold = soldLine(asSold, line.id);
      const use = facts.uses.get(line.id);
      const found = sold && ruleNow(withUse(sold, use), facts.book, now);
      if (!found) return [];
      const free = unusedLegIds(line, { use, isJourneyBound: isJourneyBound(line, facts.products) }, now);
      // Also of unused legs that cost nothing.
      if (free?.length === 0 || shareOf(line, free ? { legIds: free } : {}) <= 0) return [];
      const wanted = { orderLineId: line.id, orderLineVersion: line.version, refundRuleId: found.rule.id };
      const request = {
        ...{ operations: [wanted], includesCancelled: false, isOverruled: false },
        member: 'refundOperations' as const,
      };
      const planned = planEach({ ...facts, order: asSold }, request, now);
      return planned.map((each) => ({ ...each, rule: found.rule, expiresAt: found.until }));
    });
}

/** As it was last confirmed. Undefined: never, or the order has ended. */
function soldOrder(order: Order): Order | undefined {
  const { confirmed, status } = order;
  if (!confirmed || status === 'CANCELLED' || status === 'EXPIRED') return undefined;
  const { confirmedAt: _at, ...content } = confirmed;
  return { ...order, ...content, status: 'CONFIRMED' };
}
