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

/** Why a line has no options: the order has ended; the line is cancelled, its ticket was used, or its validity is over. */
export type ReasonOfNoOptions = 'ORDER_ENDED' | 'LINE_CANCELLED' | 'LINE_USED' | 'LINE_OVER';

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
  if (reasonOfNoOptions(order, line, terms.book, now)) return [];
  const sold = soldLine(order, line.id);
  const isOver = isOverAt(line, now);
  const options = sold ? optionsOfSold(sold, terms.book, now) : optionsOfDraft(line);
  const until = order.status === 'DRAFT' ? order.expireAt : undefined;
  const supplements = terms.hasSupplements && !isOver ? [{ type: 'SUPPLEMENT' as const, until: endOfUse(line) }] : [];
  return [...options, ...supplements].map((option) => (until && until < option.until ? { ...option, until } : option));
}

/** Undefined: there are options. */
export function reasonOfNoOptions(
  order: Order,
  line: OrderLine,
  book: RuleBook,
  now: Date,
): ReasonOfNoOptions | undefined {
  if (order.status === 'CANCELLED' || order.status === 'EXPIRED' || isDue(order, now)) return 'ORDER_ENDED';
  if (line.status === 'CANCELLED' || line.status === 'CANCELLATION_DRAFT') return 'LINE_CANCELLED';
  if (line.usedAt) return 'LINE_USED';
  const sold = soldLine(order, line.id);
  const isClaimed = sold !== undefined && wholeClaimUntil(sold.line, book, now) !== undefined;
  return isOverAt(line, now) && !isClaimed ? 'LINE_OVER' : undefined;
}

function isOverAt(line: OrderLine, now: Date): boolean {
  return endOfUse(line).getTime() <= now.getTime();
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
