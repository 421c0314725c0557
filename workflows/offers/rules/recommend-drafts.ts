/** Recommends among priced offers. Pure. */
import type { DraftOffer } from './draft-offer.ts';
import { type Recommended, recommend } from './recommend.ts';
import type { SeatNeed } from './seat-demand.ts';
import type { WantedTravel, WantingTraveller } from './wanted-travel.ts';

export interface NumberedDraft {
  readonly offerId: string;
  readonly draft: DraftOffer;
  /** The product's rules give money back at some time. */
  readonly isRefundable: boolean;
  /** See {@link worseTerms}. */
  readonly worseTerms: number;
  readonly needs: readonly SeatNeed[];
}

export function recommendDrafts(
  numbered: readonly NumberedDraft[],
  travellers: readonly WantingTraveller[],
  travel: WantedTravel,
): Recommended {
  const offers = numbered.map(({ offerId, draft, isRefundable, worseTerms, needs }) => ({
    ...{ offerId, isRefundable, worseTerms, needs, price: draft.totalPrice, legIndexes: draft.coverage.legIndexes },
    travellerIds: draft.travellers.map(({ id }) => id),
    ...(draft.party && { party: draft.party }),
  }));
  const rideCount = travel.kind === 'RIDES' ? travel.rides.length : 0;
  return recommend(
    offers,
    travellers.map(({ id }) => id),
    rideCount,
  );
}
