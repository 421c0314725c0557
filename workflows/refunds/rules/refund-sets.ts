/** Which options one refund may name together: what transactions can still pay back may be less than all of them. Pure. */
import { sumOf } from '../../shared/money.ts';

/**
 * Sets to which nothing can be added, at most one for each option; each option that can be paid back is in one. The first
 * has the most options, and of as many the greatest amount.
 */
export function performableTogether<Option extends { readonly refundMinor: number }>(
  options: readonly Option[],
  creditableMinor: number,
): readonly (readonly Option[])[] {
  const payable = options.filter(({ refundMinor }) => refundMinor <= creditableMinor);
  // The cheapest first, so that as many as possible fit.
  const cheapest = payable.toSorted((one, other) => one.refundMinor - other.refundMinor);
  const sets = [undefined, ...payable].map((first) => filled(first, cheapest, creditableMinor));
  const byContent = new Map(
    sets.map((set) => [
      set
        .map((each) => payable.indexOf(each))
        .toSorted()
        .join(),
      set,
    ]),
  );
  return [...byContent.values()]
    .filter((set) => set.length > 0)
    .map((set) => payable.filter((each) => set.includes(each)))
    .toSorted((one, other) => other.length - one.length || amountOf(other) - amountOf(one));
}

/** Begins with this option, and takes of the others what still fits. */
function filled<Option extends { readonly refundMinor: number }>(
  first: Option | undefined,
  others: readonly Option[],
  creditableMinor: number,
): readonly Option[] {
  const set = first ? [first] : [];
  let leftMinor = creditableMinor - amountOf(set);
  for (const each of others) {
    if (each === first || each.refundMinor > leftMinor) continue;
    set.push(each);
    leftMinor -= each.refundMinor;
  }
  return set;
}

function amountOf(set: readonly { readonly refundMinor: number }[]): number {
  return sumOf(set.map(({ refundMinor }) => refundMinor));
}
