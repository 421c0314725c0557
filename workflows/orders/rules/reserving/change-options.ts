/**
 * What may be done with the lines of an order at a moment, and what it costs. The commands that do it ask the same rules,
 * so that an option and what it does never differ. Pure.
 */
import type { Price } from '../../../shared/price.ts';
import { isDue } from '../guards.ts';
import type { Order, OrderLine } from '../order.ts';
import { soldLine } from './change-groups.ts';
import {
  changeRuleOf,
  endOfUse,
  feePrice,
  keptByRefund,
  type RuleBook,
  refundRuleOf,
  type SoldLine,
} from './change-terms.ts';
import { wholeClaimUntil } from './disruption-terms.ts';

export const CHANGE_OPTION_TYPES = ['CANCEL', 'UPGRADE', 'REBOOK', 'SUPPLEMENT'] as const;

export interface ChangeOption {
  readonly type: (typeof CHANGE_OPTION_TYPES)[number];
  /** Absent: it costs nothing. */
  readonly fee?: Price;
  readonly until: Date;
}

/** `hasSupplements`: the catalogue has a supplement that can be added to the line. */
export function changeOptionsOf(
  order: Order,
  line: OrderLine,
  terms: { readonly book: RuleBook; readonly hasSupplements: boolean },
  now: Date,
): readonly ChangeOption[] {
  if (order.status === 'CANCELLED' || order.status === 'EXPIRED' || isDue(order, now)) return [];
  if (line.status === 'CANCELLED' || line.status === 'CANCELLATION_DRAFT' || line.usedAt) return [];
  const sold = soldLine(order, line.id);
  const isOver = endOfUse(line).getTime() <= now.getTime();
  if (isOver && !(sold && wholeClaimUntil(sold.line, terms.book, now))) return [];
  const options = sold ? optionsOfSold(sold, terms.book, now) : optionsOfDraft(line);
  const until = order.status === 'DRAFT' ? order.expireAt : undefined;
  const supplements = terms.hasSupplements && !isOver ? [{ type: 'SUPPLEMENT' as const, until: endOfUse(line) }] : [];
  return [...options, ...supplements].map((option) => (until && until < option.until ? { ...option, until } : option));
}

/** Until it is confirmed, a line may be removed and exchanged freely. */
function optionsOfDraft(line: OrderLine): readonly ChangeOption[] {
  const until = endOfUse(line);
  return [
    { type: 'CANCEL', until },
    { type: 'UPGRADE', until },
    { type: 'REBOOK', until },
  ];
}

function optionsOfSold(sold: SoldLine, book: RuleBook, now: Date): readonly ChangeOption[] {
  const refund = refundRuleOf(sold, book, now);
  const kept = feePrice(keptByRefund(sold, refund?.rule), sold.line);
  const cancel = { type: 'CANCEL' as const, ...(kept && { fee: kept }), until: refund?.until ?? endOfUse(sold.line) };
  const change = changeRuleOf(sold, book, now);
  if (!change) return [cancel];
  const fee = feePrice(change.rule.feeAmountMinor, sold.line);
  const terms = { ...(fee && { fee }), until: change.until };
  return [cancel, { type: 'UPGRADE', ...terms }, { type: 'REBOOK', ...terms }];
}
