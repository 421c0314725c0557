/** Which options one refund may name together: what transactions can still pay back may be less than all of them. Pure. */
import { sumOf } from '../../shared/money.ts';

interface Priced {
  readonly refundMinor: number;
}

/** An option, and its position among those that can be paid back. */
interface Placed<Option> {
  readonly option: Option;
  readonly at: number;
}

/**
 * Sets to which nothing can be added, at most one for each option; each option that can be paid back is in one. The first
 * has the most options; of sets of equal size, the greater amount comes first. For n options the work grows with n² log n.
 */
export function performableTogether<Option extends Priced>(
  options: readonly Option[],
  creditableMinor: number,
): readonly (readonly Option[])[] {
  const payable = options
    .filter(({ refundMinor }) => refundMinor <= creditableMinor)
    .map((option, at): Placed<Option> => ({ option, at }));
  // The cheapest first, so that as many as possible fit.
  const cheapest = payable.toSorted((one, other) => one.option.refundMinor - other.option.refundMinor);
  const sets = [undefined, ...payable].map((first) =>
    filled(first, cheapest, creditableMinor).toSorted((one, other) => one.at - other.at),
  );
  const byContent = new Map(sets.map((set) => [set.map(({ at }) => at).join(), set.map(({ option }) => option)]));
  return [...byContent.values()]
    .filter((set) => set.length > 0)
    .map((set) => ({ set, amountMinor: sumOf(set.map(({ refundMinor }) => refundMinor)) }))
    .toSorted((one, other) => other.set.length - one.set.length || other.amountMinor - one.amountMinor)
    .map(({ set }) => set);
}

/** Begins with this option, and takes of the others what still fits. */
function filled<Option extends Priced>(
  first: Placed<Option> | undefined,
  others: readonly Placed<Option>[],
  creditableMinor: number,
): readonly Placed<Option>[] {
  const set = first ? [first] : [];
  let leftMinor = creditableMinor - (first?.option.refundMinor ?? 0);
  for (const each of others) {
    if (each === first || each.option.refundMinor > leftMinor) continue;
    set.push(each);
    leftMinor -= each.option.refundMinor;
  }
  return set;
}
