/**
 * The offers of one search as they are stored: one document, written once and never changed. Rides, travellers and
 * products are held once, however many offers name them.
 */

import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { Notice } from '../../workflows/offers/rules/notices.ts';
import type {
  GeographicalValidity,
  OfferedProduct,
  OfferedSeating,
  OfferedSupplement,
  SearchedTraveller,
  SoldLeg,
  TravellerMapping,
} from '../../workflows/offers/rules/offer.ts';
import type { Recommendation } from '../../workflows/offers/rules/recommend.ts';
import type { UnavailableProduct } from '../../workflows/offers/rules/unavailable.ts';
import type { TravellerCount } from '../../workflows/shared/fares.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { Price } from '../../workflows/shared/price.ts';
import type { Text } from '../../workflows/shared/text.ts';
import type { OfferSearchId } from './offer-ids.ts';

export interface OfferSearchDocument {
  readonly _id: OfferSearchId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: string;
  readonly catalogueVersion: number;
  readonly currency: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly travellers: readonly SearchedTraveller[];
  readonly legs: readonly SoldLeg[];
  readonly products: readonly StoredProduct[];
  readonly refundSummaries: readonly (readonly Text[])[];
  /** An offer's place here is part of its id. */
  readonly offers: readonly PackedOffer[];
  readonly recommendations: readonly Recommendation[];
  readonly unavailable: readonly UnavailableProduct[];
  readonly notices: readonly Notice[];
}

export type StoredProduct = Omit<OfferedProduct, 'price'> &
  Partial<Pick<OfferedSupplement, 'modifiesSeating' | 'seatFacility' | 'reservesSeat'>>;

export interface PackedOffer {
  readonly productId: string;
  readonly price: Price;
  readonly totalPrice: Price;
  readonly supplements: readonly { readonly id: string; readonly price: Price; readonly isCompulsory: boolean }[];
  readonly party?: TravellerCount;
  readonly travellerMapping: readonly TravellerMapping[];
  readonly requiredEntitlements: readonly string[];
  readonly startOfValidity: Date;
  readonly endOfValidity: Date;
  readonly geographicalValidity: GeographicalValidity;
  /** Positions in the document's legs. */
  readonly legs: readonly number[];
  readonly seating: readonly OfferedSeating[];
  /** Position in the document's summaries. */
  readonly refundSummary: number;
  readonly isAvailable: boolean;
  readonly availableSeats?: number;
}

/** Long enough to choose and pay, short enough that prices and seats still hold. */
export const OFFER_LIFE_MS = 30 * 60_000;
/** An expired offer is kept so long, so that a caller that reserves it learns that it has expired. */
export const KEPT_EXPIRED_SECONDS = 3_600;

export const ID_INDEX = 'organisation_and_id';
export const OFFERS_COLLECTION = new CollectionDefinition<OfferSearchDocument>('offers', [
  // The database removes expired documents.
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: KEPT_EXPIRED_SECONDS },
  // By the id alone the offers of another organisation would be read before they are left out.
  { name: ID_INDEX, key: { organisationId: 1, _id: 1 } },
]);
