/**
 * The cheapest offers that take every traveller of a search over every ride. Pure.
 *
 * Tickets of each traveller's own (cheapest-cover.ts) are compared with parties (party-split.ts). Parties that cover the
 * same rides for the same travellers may be mixed; others are compared.
 */

import { type Price, totalPrice } from '../../shared/price.ts';
import {
  type OfferUse,
  ownCovers,
  partyClasses,
  planAlone,
  planParties,
  type RecommendableOffer,
} from './recommended-plans.ts';

export type RecommendationKind = 'CHEAPEST' | 'CHEAPEST_REFUNDABLE';

export interface Recommendation {
  readonly kind: RecommendationKind;
  readonly offers: readonly OfferUse[];
  readonly totalPrice: Price;
}

/** The second one only when it costs more. Empty when some ride, or some traveller, cannot be covered. */
export function recommend(
  offers: readonly RecommendableOffer[],
  travellerIds: readonly string[],
  rideCount: number,
): readonly Recommendation[] {
  const cheapest = cheapestUses(offers, travellerIds, rideCount);
  if (!cheapest) return [];
  const refundable = offers.filter(({ isRefundable }) => isRefundable);
  const second = cheapestUses(refundable, travellerIds, rideCount);
  const first: Recommendation = { kind: 'CHEAPEST', ...cheapest };
  if (!second || second.totalPrice.amountMinor <= cheapest.totalPrice.amountMinor) return [first];
  return [first, { kind: 'CHEAPEST_REFUNDABLE', ...second }];
}

type Uses = Omit<Recommendation, 'kind'>;

function cheapestUses(
  given: readonly RecommendableOffer[],
  travellerIds: readonly string[],
  rideCount: number,
): Uses | undefined {
  const rides = Math.max(1, rideCount);
  const offers = given.filter(hasSeats).map((offer) => (rideCount === 0 ? { ...offer, legIndexes: [0] } : offer));
  const own = ownCovers(offers, travellerIds, rides);
  const plans = [
    planAlone(own, travellerIds),
    ...partyClasses(offers).map((each) => planParties(each, own, travellerIds)),
  ];
  let best: Uses | undefined;
  for (const plan of plans) {
    const uses = plan && priceUses(plan, offers);
    if (uses && (!best || uses.totalPrice.amountMinor < best.totalPrice.amountMinor)) best = uses;
  }
  return best;
}

/** A party may also be recommended for as many as there are seats for. */
function hasSeats({ neededSeats, party, travellerIds }: RecommendableOffer): boolean {
  return neededSeats === undefined || neededSeats >= (party?.minTravellers ?? travellerIds.length);
}

/** Uses of one traveller's offer by several are one entry; each party stays an entry. */
function priceUses(uses: readonly OfferUse[], offers: readonly RecommendableOffer[]): Uses {
  const byId = new Map(offers.map((offer) => [offer.offerId, offer]));
  const merged: OfferUse[] = [];
  const prices: Price[] = [];
  for (const { offerId, travellerIds } of uses) {
    const offer = byId.get(offerId);
    if (!offer) continue;
    prices.push(offer.price);
    const at = offer.party ? -1 : merged.findIndex((use) => use.offerId === offerId);
    if (at < 0) merged.push({ offerId, travellerIds });
    else merged[at] = { offerId, travellerIds: [...(merged[at]?.travellerIds ?? []), ...travellerIds] };
  }
  return { offers: merged, totalPrice: totalPrice(prices) };
}
