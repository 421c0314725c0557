/**
 * The fees that follow from changing lines: that of the rule of change, and the price difference that a product without a
 * refund keeps. Compared with the last confirmed version, however often the draft changes. Pure.
 */
import { splitAmount, sumOf } from '../../../shared/money.ts';
import type { Price } from '../../../shared/price.ts';
import type { NewLine } from '../lines.ts';
import type { Fee, FeeType } from '../order.ts';
import { changeFeeOf, feePrice, keptByRefund, type RuleBook, refundRuleOf, type SoldLine } from './change-terms.ts';

export interface AutomaticFee {
  readonly type: FeeType & ('CHANGE' | 'CHANGE_NON_REFUNDABLE' | 'REFUNDING');
  readonly price: Price;
  readonly soldLine: SoldLine;
}

/** `sold`: the replaced lines as they were last confirmed; those that never were cost nothing to change. */
export function feesOfChange(
  sold: readonly SoldLine[],
  lines: readonly Pick<NewLine, 'price'>[],
  book: RuleBook,
  now: Date,
): readonly AutomaticFee[] {
  const changeFees = sold.flatMap((each): readonly AutomaticFee[] => {
    const price = changeFeeOf(each, book, now);
    return price ? [{ type: 'CHANGE', price, soldLine: each }] : [];
  });
  return [...changeFees, ...feesOfDifference(sold, lines, book, now)];
}

/** What products without a refund keep of the price when the new lines are cheaper. */
export function feesOfDifference(
  sold: readonly SoldLine[],
  lines: readonly Pick<NewLine, 'price'>[],
  book: RuleBook,
  now: Date,
): readonly AutomaticFee[] {
  const paid = sold.map(({ line }) => line.price.amountMinor - line.refundedShareMinor);
  const difference = sumOf(paid) - sumOf(lines.map(({ price }) => price.amountMinor));
  if (sold.length === 0 || difference <= 0) return [];
  return splitAmount(difference, paid).flatMap((part, at): readonly AutomaticFee[] => {
    const soldLine = sold[at] as SoldLine;
    if (refundRuleOf(soldLine, book, now)) return [];
    const price = feePrice(part, soldLine.line);
    return price ? [{ type: 'CHANGE_NON_REFUNDABLE', price, soldLine }] : [];
  });
}

/** Lines that are cancelled and not exchanged: what a refund of each would keep. */
export function feesOfCancellation(sold: readonly SoldLine[], book: RuleBook, now: Date): readonly AutomaticFee[] {
  return sold.flatMap((soldLine): readonly AutomaticFee[] => {
    const kept = keptByRefund(soldLine, refundRuleOf(soldLine, book, now)?.rule);
    const price = feePrice(kept, soldLine.line);
    return price ? [{ type: 'REFUNDING', price, soldLine }] : [];
  });
}

/** Set by an earlier change of this draft, which the new one replaces. */
export function isFeeOfChange(fee: Fee, lineIds: ReadonlySet<string>, draftVersion: number): boolean {
  return (
    fee.isAutomatic === true && fee.orderVersion === draftVersion && fee.orderLineIds.some((id) => lineIds.has(id))
  );
}
