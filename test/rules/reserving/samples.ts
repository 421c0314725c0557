/** Offers and orders for tests of reserving, with the few members that a test names. */
import type { Offer, OfferedSupplement, SearchedTraveller, SoldLeg } from '../../../workflows/offers/rules/offer.ts';
import { createOrder } from '../../../workflows/orders/rules/creation.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { planLines } from '../../../workflows/orders/rules/reserving/offer-lines.ts';
import { OrderTravellers } from '../../../workflows/orders/rules/reserving/order-travellers.ts';
import type { DerivedIds, WantedOffer } from '../../../workflows/orders/rules/reserving/wanted-offer.ts';
import type { DistributionChannelId, OfferId, OrderId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { type Price, priceWithTax } from '../../../workflows/shared/price.ts';

export const NOW = new Date('2026-11-23T10:00:00Z');
export const DEPARTURE = new Date('2026-11-25T08:00:00Z');
export const ARRIVAL = new Date('2026-11-25T10:00:00Z');
export const ORGANISATION = 1 as OrganisationId;
const VAT = { code: 'VAT_LOW', basisPoints: 1200 };

export const price = (kroner: number): Price => priceWithTax(kroner * 100, VAT);

/** Ids that say what they name. */
export const IDS: DerivedIds = { ofWork: (name) => `work/${name}`, ofOrder: (name) => `order/${name}` };

export const LEG: SoldLeg = {
  legId: 'leg-1',
  mode: 'rail',
  fromStopPlaceId: 'A',
  toStopPlaceId: 'B',
  expectedStartTime: DEPARTURE,
  expectedEndTime: ARRIVAL,
  lineId: 'L',
  authorityId: 'R',
  serviceJourneyId: 'J',
  datedServiceJourneyId: 'J@2026-11-25',
  serviceDay: '2026-11-25',
  distanceMetres: 1_000,
  fromPosition: 0,
  toPosition: 1,
  calls: [],
};

export function adults(...ids: readonly string[]): readonly SearchedTraveller[] {
  return ids.map((id) => ({ id, userTypeId: 'ADULT', entitlementIds: [] }));
}

export function supplement(id: string, kroner: number, changed: Partial<OfferedSupplement> = {}): OfferedSupplement {
  return {
    ...{ id, version: 1, selectableId: id, name: [], organisationId: ORGANISATION, kind: 'SUPPLEMENT' },
    price: price(kroner),
    ...{ modifiesSeating: false, reservesSeat: false, isCompulsory: false },
    ...changed,
  };
}

/** Of 100 kroner for one adult, on a train without compulsory seats. */
export function offer(changed: Partial<Offer> = {}): Offer {
  const travellers = changed.travellers ?? adults('t1');
  const own = changed.price ?? price(100);
  return {
    _id: 'offer' as OfferId,
    organisationId: ORGANISATION,
    distributionChannelId: 'SVC:DistributionChannel:App',
    catalogueVersion: 1,
    createdAt: NOW,
    expiresAt: new Date(NOW.getTime() + 1_800_000),
    name: [{ lang: 'nob', value: 'Enkeltbillett' }],
    currency: 'NOK',
    price: own,
    totalPrice: own,
    isPerParty: false,
    preassignedProducts: [
      {
        ...{ id: 'SINGLE', version: 1, selectableId: 'SINGLE', name: [], organisationId: ORGANISATION },
        ...{ kind: 'PREASSIGNED' as const, price: own },
        ...{ refundRuleSetId: 'REFUND', changeRuleSetId: 'CHANGE', transferable: true },
      },
    ],
    supplements: [],
    travellers,
    travellerMapping: [
      { travellerIds: travellers.map(({ id }) => id), userTypeId: 'ADULT', minTravellers: 1, maxTravellers: 9 },
    ],
    requiredEntitlements: [],
    startOfValidity: DEPARTURE,
    endOfValidity: ARRIVAL,
    geographicalValidity: { fromStopPlaceId: 'A', toStopPlaceId: 'B' },
    legs: [LEG],
    seating: [],
    ...changed,
  };
}

export function wanted(changed: Partial<WantedOffer> = {}): WantedOffer {
  return {
    offerId: 'offer' as OfferId,
    customers: [],
    entitlementIds: [],
    selectableProductIds: [],
    ...changed,
  };
}

export function emptyOrder(): Order {
  const command = {
    id: 'K7PM2XQA' as OrderId,
    organisationId: ORGANISATION,
    distributionChannelId: 'SVC:DistributionChannel:App' as DistributionChannelId,
    currency: 'NOK',
  };
  return createOrder(command, NOW).order;
}

/** The lines of an offer, for travellers that are on the order or not. */
export function plan(of: Offer, want: Partial<WantedOffer> = {}, order = emptyOrder()) {
  const travellers = new OrderTravellers(order.travellers, IDS);
  const lines = planLines(of, wanted(want), travellers, { ids: IDS, position: 0, pointer: '/offerConfigurations/0' });
  return { lines, travellers: travellers.used };
}
