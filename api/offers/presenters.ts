/** Offers as callers see them. Pure. */
import type { OfferSearchDocument } from '../../activities/offers/offer-document.ts';
import { listOffers, type StoredOffer } from '../../activities/offers/stored-offer.ts';
import { isSeatCompulsory, takesSeat } from '../../workflows/offers/rules/needed-seats.ts';
import type { OfferedProduct, OfferedSupplement, SoldLeg } from '../../workflows/offers/rules/offer.ts';
import { presentPrice } from '../shared/prices.ts';
import type { Schemas } from './contract.gen.ts';

export function presentAnswer(search: OfferSearchDocument): Schemas['OfferAnswer'] {
  const { currency, recommendations, unavailable, notices } = search;
  const offers = listOffers(search).map(presentOffer);
  return {
    offers,
    optionalProducts: distinct(offers.flatMap(({ optionalProducts }) => optionalProducts)),
    recommendations: recommendations.map(({ kind, offers: uses, totalPrice }) => ({
      ...{ kind, offers: uses as Schemas['Recommendation']['offers'] },
      totalPrice: presentPrice(totalPrice, currency),
    })),
    unavailableProducts: unavailable,
    notices,
  };
}

export function presentOffer(offer: StoredOffer): Schemas['Offer'] {
  const { currency, supplements, seating, availableSeats } = offer;
  const compulsory = supplements.filter(({ isCompulsory }) => isCompulsory);
  const optional = supplements.filter(({ isCompulsory }) => !isCompulsory);
  return {
    ...{ id: offer._id, expiresAt: offer.expiresAt.toISOString(), name: offer.name, available: offer.isAvailable },
    price: presentPrice(offer.price, currency),
    totalPrice: presentPrice(offer.totalPrice, currency),
    preassignedProducts: [
      ...offer.preassignedProducts.map(presentProduct),
      ...compulsory.map((each) => ({ ...presentProduct(each), compulsory: true })),
    ],
    optionalProducts: optional.map((each) => presentSupplement(each, currency)),
    travellerMapping: offer.travellerMapping.map(({ userTypeId, ...mapping }) => ({
      ...mapping,
      userType: userTypeId,
    })),
    requiredEntitlements: offer.requiredEntitlements,
    temporalValidity: {
      startOfValidity: offer.startOfValidity.toISOString(),
      endOfValidity: offer.endOfValidity.toISOString(),
    },
    geographicalValidity: presentArea(offer.geographicalValidity),
    legs: offer.legs.map(presentLeg),
    refundRuleSummary: offer.refundRuleSummary,
    seating: {
      // As reserving holds them.
      required: seating.some((each) => isSeatCompulsory(each) || compulsory.some(takesSeat)),
      ...(availableSeats !== undefined && { availableSeats }),
    },
  };
}

/** Names of zones are for tickets: `GET /v1/catalogue` has them. */
function presentArea({ zoneNames: _names, ...validity }: StoredOffer['geographicalValidity']) {
  return validity;
}

function presentProduct({ id, version, selectableId, name }: OfferedProduct): Schemas['PreassignedProduct'] {
  return { id, version, selectableId, name };
}

function presentSupplement(supplement: OfferedSupplement, currency: string): Schemas['OptionalProduct'] {
  const { id, selectableId, name, price, modifiesSeating } = supplement;
  return { id, selectableId, name, price: presentPrice(price, currency), modifiesSeating };
}

/** The calls between are shown once the journey is bought. */
function presentLeg(leg: SoldLeg): Schemas['OfferLeg'] {
  const { legId, mode, fromStopPlaceId, toStopPlaceId, lineId, serviceJourneyId, datedServiceJourneyId } = leg;
  const { expectedStartTime, expectedEndTime, serviceJourneyPrivateCode } = leg;
  return {
    ...{ legId, mode, fromStopPlaceId, toStopPlaceId },
    ...{ expectedStartTime: expectedStartTime.toISOString(), expectedEndTime: expectedEndTime.toISOString() },
    ...{ lineId, serviceJourneyId, datedServiceJourneyId },
    ...(serviceJourneyPrivateCode !== undefined && { serviceJourneyPrivateCode }),
  };
}

/** Each supplement once for each price. */
function distinct(products: readonly Schemas['OptionalProduct'][]): readonly Schemas['OptionalProduct'][] {
  return [...new Map(products.map((each) => [`${each.id} ${each.price.amount}`, each])).values()];
}
