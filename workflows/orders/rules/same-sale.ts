/** Whether a line that is written again is still the sale that it was, perhaps with more supplements. Pure. */
import { sumOf } from '../../shared/money.ts';
import type { NewLine } from './lines.ts';
import type { LineProduct, OrderLine, TravelSpecification } from './order.ts';

export type Sale = Pick<NewLine, 'price' | 'fareProducts' | 'travellers' | 'travelSpecification'>;

/** The same products at the same price, for the same travellers, rides and time. */
export function isSameSale(before: Sale, after: Sale): boolean {
  return before.fareProducts.length === after.fareProducts.length && isContinuedSale(before, after);
}

/** What refunds have taken back of the line's price: it stays taken back while the sale goes on. */
export function continuedShareMinor(given: Sale, ...before: readonly (OrderLine | undefined)[]): number {
  return before.find((line) => line && isContinuedSale(line, given))?.refundedShareMinor ?? 0;
}

/** A mark of disruption stays while the sale goes on. */
export function continuedDisruption(
  given: Sale,
  ...before: readonly (OrderLine | undefined)[]
): Pick<OrderLine, 'disruption'> {
  const { disruption } = before.find((line) => line && isContinuedSale(line, given)) ?? {};
  return disruption ? { disruption } : {};
}

/** Perhaps with further supplements. */
export function isContinuedSale(before: Sale, after: Sale): boolean {
  const kept = after.fareProducts.slice(0, before.fareProducts.length);
  const added = after.fareProducts.slice(before.fareProducts.length).map(({ price }) => price);
  const sum = (member: 'amountMinor' | 'taxMinor') =>
    sumOf([before.price[member], ...added.map((each) => each[member])]);
  return (
    after.price.amountMinor === sum('amountMinor') &&
    after.price.taxMinor === sum('taxMinor') &&
    sameList(before.fareProducts, kept, productKey) &&
    sameList(before.travellers, after.travellers, ({ travellerId }) => travellerId) &&
    travelKey(before.travelSpecification) === travelKey(after.travelSpecification)
  );
}

function productKey({ id, price }: LineProduct): string {
  return `${id}/${price.amountMinor}`;
}

function travelKey({ legs, startOfValidity, endOfValidity, zones = [] }: TravelSpecification): string {
  const rides = legs.map(
    ({ serviceJourneyId, datedServiceJourneyId, fromStopPlaceId, toStopPlaceId }) =>
      `${serviceJourneyId} ${datedServiceJourneyId} ${fromStopPlaceId} ${toStopPlaceId}`,
  );
  return JSON.stringify([rides, startOfValidity.getTime(), endOfValidity.getTime(), zones]);
}

function sameList<Item>(before: readonly Item[], after: readonly Item[], keyOf: (item: Item) => string): boolean {
  return before.length === after.length && before.every((item, at) => keyOf(item) === keyOf(after[at] as Item));
}
