/**
 * Who travels in place of a disrupted line on the same stretch and day pays no more than for that line. Pure.
 *
 * The price of the new line is lowered, and no fee reduces it: whatever is refunded, changed or entered later then counts what
 * was paid.
 */

import type { SoldLeg } from '../../../offers/rules/offer.ts';
import type { OrderLineId, TravellerId } from '../../../shared/ids.ts';
import { splitAmount, sumOf } from '../../../shared/money.ts';
import { type Price, resizedPrice, totalPrice } from '../../../shared/price.ts';
import type { NewLine } from '../lines.ts';
import type { LineProduct, Order, OrderLine, TravelSpecification } from '../order.ts';
import { soldLine } from './change-groups.ts';
import type { RuleBook } from './change-terms.ts';
import { wholeClaimUntil } from './disruption-terms.ts';

interface RebookedLines {
  readonly lines: readonly NewLine[];
  readonly chosenProductIds?: readonly string[];
}

/** `members`: the group that the lines belong to. What the caller has added by choice is paid for. */
export function asSoldAtMost(
  order: Order,
  members: ReadonlySet<OrderLineId>,
  { lines, chosenProductIds = [] }: RebookedLines,
  book: RuleBook,
  now: Date,
): readonly NewLine[] {
  const disrupted = [...members].flatMap((id) => {
    const line = soldLine(order, id)?.line;
    return line && wholeClaimUntil(line, book, now) ? [line] : [];
  });
  if (disrupted.length === 0) return lines;
  const sold = new SoldSupplements(disrupted);
  return lines.map((line) => {
    const before = disrupted.filter((each) => isSameTrip(each.travelSpecification, line.travelSpecification));
    const paidMinor = paidFor(line, before);
    if (paidMinor === undefined) return line;
    const replaced = before.filter(({ travellers }) => travellers.some((each) => isOf(line, each.travellerId)));
    const isChosen = ({ kind, id, selectableId }: LineProduct) =>
      kind === 'SUPPLEMENT' && chosenProductIds.includes(selectableId ?? id);
    const isAdded = line.fareProducts.map((product) => isChosen(product) && !sold.take(product.id, replaced));
    return loweredTo(line, paidMinor, isAdded);
  });
}

/** Each supplement that was sold covers one new supplement of its kind. */
class SoldSupplements {
  readonly #left: { readonly line: OrderLine; readonly id: string }[];

  constructor(lines: readonly OrderLine[]) {
    this.#left = lines.flatMap((line) => line.fareProducts.map(({ id }) => ({ line, id })));
  }

  /** False: none of it is left on these lines. */
  take(id: string, lines: readonly OrderLine[]): boolean {
    const at = this.#left.findIndex((each) => each.id === id && lines.includes(each.line));
    if (at === -1) return false;
    this.#left.splice(at, 1);
    return true;
  }
}

function isOf({ travellers }: NewLine, id: TravellerId): boolean {
  return travellers.some(({ travellerId }) => travellerId === id);
}

/** What was paid for the travellers of the line on its trip. Undefined where one of them was not sold that trip. */
function paidFor({ travellers }: NewLine, before: readonly OrderLine[]): number | undefined {
  const shares = travellers.map(({ travellerId }) => paidBy(travellerId, before));
  return travellers.length > 0 && shares.every((share) => share !== undefined) ? sumOf(shares) : undefined;
}

function paidBy(traveller: TravellerId, before: readonly OrderLine[]): number | undefined {
  for (const { travellers, price, refundedShareMinor } of before) {
    const at = travellers.findIndex(({ travellerId }) => travellerId === traveller);
    const shares =
      at === -1
        ? []
        : splitAmount(
            price.amountMinor - refundedShareMinor,
            travellers.map(() => 1),
          );
    if (shares[at] !== undefined) return shares[at];
  }
  return undefined;
}

/** `isAdded`: of each product of the line. */
function loweredTo(line: NewLine, paidMinor: number, isAdded: readonly boolean[]): NewLine {
  const added = line.fareProducts.filter((_product, at) => isAdded[at]);
  const coveredMinor = line.price.amountMinor - sumOf(added.map(({ price }) => price.amountMinor));
  if (coveredMinor <= paidMinor) return line;
  const covered = line.fareProducts.filter((_product, at) => !isAdded[at]);
  if (covered.length === 0) return { ...line, price: resizedPrice(line.price, paidMinor) };
  const amounts = splitAmount(
    paidMinor,
    covered.map(({ price }) => price.amountMinor),
  );
  const prices = new Map<LineProduct, Price>(
    covered.map((product, at) => [product, resizedPrice(product.price, amounts[at] ?? 0)]),
  );
  const fareProducts = line.fareProducts.map((product) => ({
    ...product,
    price: prices.get(product) ?? product.price,
  }));
  return { ...line, fareProducts, price: totalPrice(fareProducts.map(({ price }) => price)) };
}

/** The stretch and the service day of the first ride. Stop places of one parent, as a station's platforms or its bus stop, are one end. */
function isSameTrip({ legs: one }: TravelSpecification, { legs: other }: TravelSpecification): boolean {
  const [first, last, otherFirst, otherLast] = [one[0], one.at(-1), other[0], other.at(-1)];
  if (!(first && last && otherFirst && otherLast) || first.serviceDay !== otherFirst.serviceDay) return false;
  return isSamePlace(startOf(first), startOf(otherFirst)) && isSamePlace(endOf(last), endOf(otherLast));
}

function startOf({ fromStopPlaceId, fromParentStopPlaceId, calls }: SoldLeg): readonly string[] {
  return [fromStopPlaceId, fromParentStopPlaceId, calls[0]?.stopPlaceId].filter((id) => id !== undefined);
}

function endOf({ toStopPlaceId, toParentStopPlaceId, calls }: SoldLeg): readonly string[] {
  return [toStopPlaceId, toParentStopPlaceId, calls.at(-1)?.stopPlaceId].filter((id) => id !== undefined);
}

/** A caller may have named the stop place, or its parent. */
function isSamePlace(one: readonly string[], other: readonly string[]): boolean {
  return one.some((id) => other.includes(id));
}
