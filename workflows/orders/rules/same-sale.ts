/** Whether a line that is written again is still the sale that it was, perhaps with more supplements. Pure. */
import { sumOf } from '../../shared/money.ts';
import type { NewLine } from './lines.ts';
import type { LineProduct, LineTraveller, OrderLine, TravelSpecification } from './order.ts';

export type Sale = Pick<NewLine, 'price' | 'fareProducts' | 'travellers' | 'travelSpecification'>;

/** The same products at the same price, for the same travellers with their entitlements, between the same places and times. */
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
    sameList(before.travellers, after.travellers, travellerKey) &&
    travelKey(before.travelSpecification) === travelKey(after.travelSpecification)
  );
}

function productKey({ id, price }: LineProduct): string {
  return `${id}/${price.amountMinor}`;
}

/** The ticket shows the entitlements. */
function travellerKey({ travellerId, entitlementIds = [] }: LineTraveller): string {
  return JSON.stringify([travellerId, entitlementIds.toSorted()]);
}

/** A line with rides goes from the first to the last of them where it names no places. */
function travelKey({ legs, startOfValidity, endOfValidity, zones = [], ...ends }: TravelSpecification): string {
  const { fromStopPlaceId = legs[0]?.fromStopPlaceId, toStopPlaceId = legs.at(-1)?.toStopPlaceId } = ends;
  const rides = legs.map(
    (leg) => `${leg.serviceJourneyId} ${leg.datedServiceJourneyId} ${leg.fromStopPlaceId} ${leg.toStopPlaceId}`,
  );
  const times = [startOfValidity.getTime(), endOfValidity.getTime()];
  return JSON.stringify([rides, ...times, zones, fromStopPlaceId, toStopPlaceId]);
}

function sameList<Item>(before: readonly Item[], after: readonly Item[], keyOf: (item: Item) => string): boolean {
  return before.length === after.length && before.every((item, at) => keyOf(item) === keyOf(after[at] as Item));
}
