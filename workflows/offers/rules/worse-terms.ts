/** How much a ticket loses against one that is given back and changed freely. Decides among equal prices. Pure. */
import type { ChangeRuleSet, RefundRuleSet } from '../../shared/fares.ts';

/** What {@link worseTerms} answers at most. */
export const WORST_TERMS = 201;

/** 0 is best. What a refund gives back at its best comes first, then whether the ticket may be changed. */
export function worseTerms(refunds: RefundRuleSet | undefined, changes: ChangeRuleSet | undefined): number {
  const percent = Math.max(0, ...(refunds?.rules ?? []).map(({ refundPercent }) => refundPercent));
  const isChangeable = (changes?.rules.length ?? 0) > 0;
  return 2 * (100 - Math.floor(percent)) + (isChangeable ? 0 : 1);
}
