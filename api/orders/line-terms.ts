/** The terms of a line that is replaced by hand: kept while it is the same sale, else those of its products. Pure. */
import type { Fares } from '../../activities/shared/fares.ts';
import type { WrittenRide } from '../../workflows/orders/rules/catalogue-terms.ts';
import type { NewLine } from '../../workflows/orders/rules/lines.ts';
import type { LineProduct, OrderLine, TravelSpecification } from '../../workflows/orders/rules/order.ts';

type Sale = Pick<NewLine, 'price' | 'fareProducts' | 'travellers' | 'travelSpecification'>;

/** The same products at the same price, for the same travellers, rides and time. */
export function isSameSale(before: OrderLine, after: Sale): boolean {
  return (
    before.price.amountMinor === after.price.amountMinor &&
    before.price.taxMinor === after.price.taxMinor &&
    sameList(before.fareProducts, after.fareProducts, productKey) &&
    sameList(before.travellers, after.travellers, ({ travellerId }) => travellerId) &&
    travelKey(before.travelSpecification) === travelKey(after.travelSpecification)
  );
}

/** As the line was sold. */
export function termsOfSale(before: OrderLine) {
  const { offerId, refundRuleSetId, changeRuleSetId, transferable, compulsoryLegIds } = before;
  const { zoneType } = before.travelSpecification;
  return {
    ...(offerId !== undefined && { offerId }),
    ...(refundRuleSetId !== undefined && { refundRuleSetId }),
    ...(changeRuleSetId !== undefined && { changeRuleSetId }),
    ...(transferable !== undefined && { transferable }),
    ...(compulsoryLegIds && { compulsoryLegIds }),
    ...(zoneType && { travelSpecification: before.travelSpecification }),
  };
}

export function termsOfProducts(line: Sale, { products }: Pick<Fares, 'products'>) {
  const fare = fareOf(line, products);
  return {
    ...(fare && {
      refundRuleSetId: fare.refundRuleSetId,
      changeRuleSetId: fare.changeRuleSetId,
      transferable: fare.transferable,
    }),
  };
}

/**
 * Rides that nobody may take without a seat: those of a train that has compulsory reservation, those of a berth or a
 * compartment, and those that needed a seat before.
 */
export function compulsoryLegs(
  line: Sale,
  rides: readonly WrittenRide[],
  before: OrderLine | undefined,
  { products }: Pick<Fares, 'products'>,
): Pick<NewLine, 'compulsoryLegIds'> {
  const { accommodation = 'SEATING', compartment } = fareOf(line, products) ?? {};
  const isBerth = accommodation !== 'SEATING' || compartment !== undefined;
  const legIds = rides
    .filter(
      ({ legId, train }) =>
        train?.seatReservation === 'COMPULSORY' || (train && isBerth) || before?.compulsoryLegIds?.includes(legId),
    )
    .map(({ legId }) => legId);
  return legIds.length > 0 ? { compulsoryLegIds: legIds } : {};
}

function fareOf({ fareProducts }: Sale, products: Fares['products']) {
  return fareProducts.map(({ id }) => products.get(id)).find((product) => product?.kind === 'PREASSIGNED');
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
