/** What the rules of a line's product say at a moment: may it be changed or refunded, and what does it cost. Pure. */
import type { ChangeRule, ChangeRuleSet, RefundRule, RefundRuleSet } from '../../../shared/fares.ts';
import { percentOf } from '../../../shared/money.ts';
import { type Price, priceWithTax } from '../../../shared/price.ts';
import { type RuleInForce, ruleInForce } from '../../../shared/rule-windows.ts';
import { invalidState } from '../guards.ts';
import { validityOf } from '../moved-start.ts';
import type { OrderLine, Reservation } from '../order.ts';
import { CHANGE_OF_DISRUPTED, refundOfDisrupted, wholeClaimUntil } from './disruption-terms.ts';

/** The part of the catalogue that changes ask. */
export interface RuleBook {
  readonly timeZone: string;
  readonly refundRuleSets: ReadonlyMap<string, RefundRuleSet>;
  readonly changeRuleSets: ReadonlyMap<string, ChangeRuleSet>;
}

/** A line as it was sold, with its seats. */
export interface SoldLine {
  readonly line: OrderLine;
  readonly reservations: readonly Reservation[];
}

const NO_RULE: ChangeRule = { id: 'NONE', untilBefore: 'PT0S', feeAmountMinor: 0 };

/** Windows of rules lie before the first departure with a seat; without seats before the start of validity, also a moved one. */
export function ruleAnchor({ line, reservations }: SoldLine): Date {
  const departures = reservations.map(({ departure }) => departure.getTime());
  return departures.length > 0 ? new Date(Math.min(...departures)) : validityOf(line).startOfValidity;
}

/** Undefined: the line may not be changed now. A line without rules, written by hand, may be changed without a fee. */
export function changeRuleOf(sold: SoldLine, book: RuleBook, now: Date): RuleInForce<ChangeRule> | undefined {
  const claim = wholeClaimUntil(sold.line, book, now);
  if (claim) return { rule: CHANGE_OF_DISRUPTED, until: claim };
  const { changeRuleSetId } = sold.line;
  if (changeRuleSetId === undefined) {
    const until = endOfUse(sold.line);
    return now.getTime() < until.getTime() ? { rule: NO_RULE, until } : undefined;
  }
  const { rules = [] } = book.changeRuleSets.get(changeRuleSetId) ?? {};
  return ruleInForce(rules, ruleAnchor(sold), now, book.timeZone);
}

/** Of the line as a whole. Undefined: nothing is refunded now. */
export function refundRuleOf(sold: SoldLine, book: RuleBook, now: Date): RuleInForce<RefundRule> | undefined {
  const claim = wholeClaimUntil(sold.line, book, now);
  if (claim) return { rule: refundOfDisrupted(sold.line), until: claim };
  const { refundRuleSetId } = sold.line;
  const { rules = [] } = refundRuleSetId === undefined ? {} : (book.refundRuleSets.get(refundRuleSetId) ?? {});
  const found = ruleInForce(rules, ruleAnchor(sold), now, book.timeZone);
  if (!found || found.rule.refundPercent === 0) return undefined;
  return found.rule.unusedOnly && sold.line.usedAt ? undefined : found;
}

/** The fee of changing the line; undefined where it costs nothing. Throws INVALID_STATE when it may not be changed now. */
export function changeFeeOf(sold: SoldLine, book: RuleBook, now: Date): Price | undefined {
  const found = changeRuleOf(sold, book, now);
  if (!found) throw invalidState(`The product of the line ${sold.line.id} may not be changed now.`);
  return feePrice(found.rule.feeAmountMinor, sold.line);
}

/** What a refund of the whole line would keep. */
export function keptByRefund(sold: SoldLine, rule: RefundRule | undefined): number {
  const { price, refundedShareMinor } = sold.line;
  const share = price.amountMinor - refundedShareMinor;
  if (!rule) return share;
  return share - Math.max(0, percentOf(share, rule.refundPercent) - rule.feeAmountMinor);
}

/** A fee is taxed as the line is; with several rates on the line, as its first product. */
export function feePrice(amountMinor: number, line: OrderLine): Price | undefined {
  if (amountMinor === 0) return undefined;
  const taxed = line.price.taxBasisPoints === undefined ? line.fareProducts[0]?.price : line.price;
  const { taxBasisPoints = 0, taxCode } = taxed ?? {};
  const { taxCode: _code, ...price } = priceWithTax(amountMinor, { code: '', basisPoints: taxBasisPoints });
  return taxCode === undefined ? price : { ...price, taxCode };
}

export function endOfUse(line: OrderLine): Date {
  return validityOf(line).endOfValidity;
}
