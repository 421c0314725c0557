/** Which rule of a line's product a refund follows, and what it gives back. Pure. */
import { type RuleBook, refundRuleOf, ruleAnchor, type SoldLine } from '../../orders/rules/reserving/change-terms.ts';
import { claimUntil, DISRUPTION_RULE, refundOfDisrupted } from '../../orders/rules/reserving/disruption-terms.ts';
import type { RefundRule } from '../../shared/fares.ts';
import { subtractDuration } from '../../shared/local-time.ts';
import { percentOf } from '../../shared/money.ts';
import type { RuleInForce } from '../../shared/rule-windows.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { LineUse } from './line-shares.ts';

/** The line with its use, as tickets know it: the order may learn of it later. */
export function withUse(sold: SoldLine, use: LineUse | undefined): SoldLine {
  return use && !sold.line.usedAt ? { ...sold, line: { ...sold.line, usedAt: use.usedAt } } : sold;
}

/** Half up, minus the fee, never below 0. */
export function refundMinor(shareMinor: number, { refundPercent, feeAmountMinor }: RefundRule): number {
  return Math.max(0, percentOf(shareMinor, refundPercent) - feeAmountMinor);
}

/** In force now, perhaps for some of the legs. Undefined: nothing is given back. */
export function ruleNow(sold: SoldLine, book: RuleBook, now: Date): RuleInForce<RefundRule> | undefined {
  const claim = claimUntil(sold.line, book, now);
  return claim ? { rule: refundOfDisrupted(sold.line), until: claim } : refundRuleOf(sold, book, now);
}

/**
 * The rule that a request names. `isOverruled`: without its fee, also outside its window. Throws REFUND_NOT_ALLOWED where the
 * product forbids refunds or has no such rule, REFUND_OPTION_EXPIRED outside its window, TICKET_ALREADY_USED. While a disruption
 * gives everything back, a rule that may give less is not in force.
 */
export function namedRule(
  sold: SoldLine,
  ruleId: string,
  { book, isOverruled }: { readonly book: RuleBook; readonly isOverruled: boolean },
  now: Date,
): RefundRule {
  const { line } = sold;
  const claim = claimUntil(line, book, now);
  if (line.disruption && ruleId === DISRUPTION_RULE) {
    if (!claim && !isOverruled) throw notInForce(line.id, ruleId);
    return refundOfDisrupted(line);
  }
  const rules = line.refundRuleSetId === undefined ? [] : (book.refundRuleSets.get(line.refundRuleSetId)?.rules ?? []);
  const rule = rules.find(({ id }) => id === ruleId);
  const inForce = ruleNow(sold, book, now)?.rule.id;
  if (!rule || rule.refundPercent === 0)
    throw notAllowed(line.id, ruleId, { isForbidden: rules.length === 0, inForce });
  if (rule.unusedOnly && line.usedAt) {
    throw new ServiceError('TICKET_ALREADY_USED', `The ticket of the line ${line.id} has been used.`);
  }
  if (isOverruled) return { ...rule, feeAmountMinor: 0 };
  if (claim || !isInForce(rule, sold, book, now)) throw notInForce(line.id, ruleId, inForce);
  return rule;
}

function isInForce(rule: RefundRule, sold: SoldLine, { timeZone }: RuleBook, now: Date): boolean {
  const anchor = ruleAnchor(sold);
  const until = subtractDuration(anchor, rule.untilBefore, timeZone);
  const from = rule.fromBefore === undefined ? undefined : subtractDuration(anchor, rule.fromBefore, timeZone);
  return now.getTime() < until.getTime() && (from === undefined || from.getTime() <= now.getTime());
}

interface Known {
  /** The product has no rules. */
  readonly isForbidden: boolean;
  /** Undefined: nothing is given back now. */
  readonly inForce: string | undefined;
}

function notAllowed(lineId: string, ruleId: string, { isForbidden, inForce }: Known): ServiceError {
  const why = isForbidden ? 'is not refundable' : `has no rule ${ruleId} that gives money back. ${nowIs(inForce)}`;
  return new ServiceError('REFUND_NOT_ALLOWED', `The line ${lineId} ${why}.`);
}

function notInForce(lineId: string, ruleId: string, inForce?: string): ServiceError {
  return new ServiceError(
    'REFUND_OPTION_EXPIRED',
    `The rule ${ruleId} is not in force for the line ${lineId}. ${nowIs(inForce)}. Ask for its options again.`,
  );
}

function nowIs(ruleId: string | undefined): string {
  return ruleId === undefined ? 'No rule is in force now' : `In force now is ${ruleId}`;
}
