/** Ids of offers: the id of their search, and the offer's place in it. So one document holds all offers of a search. Pure. */

import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { Branded, OfferId } from '../../workflows/shared/ids.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';

/** A UUID without its last four digits, which number the offers. */
export type OfferSearchId = Branded<string, 'OfferSearchId'>;

const PLACE_DIGITS = 4;

/** The same in each attempt of a request. */
export function searchIdOfWork(workId: string): OfferSearchId {
  return workItemId(workId, 'offers').slice(0, -PLACE_DIGITS) as OfferSearchId;
}

/** `place` from 0. */
export function offerIdAt(searchId: OfferSearchId, place: number): OfferId {
  return `${searchId}${place.toString(16).padStart(PLACE_DIGITS, '0')}` as OfferId;
}

export function searchOfOffer(offerId: OfferId): { readonly searchId: OfferSearchId; readonly place: number } {
  const id = plainUuid(offerId);
  const place = Number.parseInt(id.slice(-PLACE_DIGITS), 16);
  return { searchId: id.slice(0, -PLACE_DIGITS) as OfferSearchId, place };
}
