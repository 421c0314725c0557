/** Reads one offer out of the document of its search. Pure. */
import type { Offer, OfferedProduct, OfferedSupplement } from '../../workflows/offers/rules/offer.ts';
import type { Text } from '../../workflows/shared/text.ts';
import type { OfferSearchDocument, PackedOffer, StoredProduct } from './offer-document.ts';
import { offerIdAt } from './offer-ids.ts';

/** An offer with what a traveller sees beside it. */
export interface StoredOffer extends Offer {
  readonly refundRuleSummary: readonly Text[];
  readonly isAvailable: boolean;
  /** Where a ride has a seat plan: seats that were free when the search was answered. */
  readonly availableSeats?: number;
}

/** Undefined for a place that has no offer. */
export function offerAt(search: OfferSearchDocument, place: number): StoredOffer | undefined {
  const packed = search.offers[place];
  return packed && unpack(search, packed, place);
}

export function listOffers(search: OfferSearchDocument): readonly StoredOffer[] {
  return search.offers.map((packed, place) => unpack(search, packed, place));
}

function unpack(search: OfferSearchDocument, packed: PackedOffer, place: number): StoredOffer {
  const { productId, price, totalPrice, party, refundSummary, availableSeats } = packed;
  const { organisationId, distributionChannelId, catalogueVersion, createdAt, expiresAt, currency } = search;
  const product: OfferedProduct = { ...productOf(search, productId), price };
  const chosen = new Set(packed.travellerMapping.flatMap(({ travellerIds }) => travellerIds));
  return {
    _id: offerIdAt(search._id, place),
    ...{ organisationId, distributionChannelId, catalogueVersion, createdAt, expiresAt, currency },
    ...{ name: product.name, price, totalPrice, isPerParty: party !== undefined },
    ...(party && { party }),
    preassignedProducts: [product],
    supplements: packed.supplements.map((each) => supplementOf(search, each)),
    travellers: search.travellers.filter(({ id }) => chosen.has(id)),
    travellerMapping: packed.travellerMapping,
    requiredEntitlements: packed.requiredEntitlements,
    startOfValidity: packed.startOfValidity,
    endOfValidity: packed.endOfValidity,
    geographicalValidity: packed.geographicalValidity,
    legs: packed.legs.flatMap((at) => search.legs[at] ?? []),
    seating: packed.seating,
    refundRuleSummary: search.refundSummaries[refundSummary] ?? [],
    isAvailable: packed.isAvailable,
    ...(availableSeats !== undefined && { availableSeats }),
  };
}

function supplementOf(search: OfferSearchDocument, packed: PackedOffer['supplements'][number]): OfferedSupplement {
  const { modifiesSeating = false, reservesSeat = false, ...facts } = productOf(search, packed.id);
  return { ...facts, modifiesSeating, reservesSeat, price: packed.price, isCompulsory: packed.isCompulsory };
}

function productOf({ products }: OfferSearchDocument, id: string): StoredProduct {
  const product = products.find((each) => each.id === id);
  if (!product) throw new Error(`The stored offers lack the product ${id}`);
  return product;
}
