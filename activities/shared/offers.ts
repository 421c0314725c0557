/** Stored offers as other areas read them. Provided by the offers area. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { Offer } from '../../workflows/offers/rules/offer.ts';
import type { OfferId, OrganisationId } from '../../workflows/shared/ids.ts';

export interface OfferReader {
  /**
   * Of this organisation, also when it has expired less than an hour ago, so that a caller is told so. Undefined for an
   * unknown offer, and for that of another organisation.
   */
  find(organisationId: OrganisationId, offerIds: readonly OfferId[]): Promise<ReadonlyMap<OfferId, Offer>>;
}

export const OFFERS = interfaceKey<OfferReader>('offers');
