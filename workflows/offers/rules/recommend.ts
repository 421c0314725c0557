/**
 * The cheapest offers that take every traveller of a search over every ride. Pure.
 *
 * Tickets of each traveller's own (cheapest-cover.ts) are compared with parties (party-split.ts). Parties that cover the
 * same rides for the same travellers may be mixed; others are compared.
 */

import type { Price } from '../../shared/price.ts';
import type { OfferUse, RecommendableOffer } from './recommended-plans.ts';
import { findSeatedPlan, type SeatedPlan } from './seated-plan.ts';

export type RecommendationKind = 'CHEAPEST' | 'CHEAPEST_REFUNDABLE';

export interface Recommendation {
  readonly kind: RecommendationKind;
  readonly offers: readonly OfferUse[];
  readonly totalPrice: Price;
}

export interface Recommended {
  readonly recommendations: readonly Recommendation[];
  /** A cheaper one was left out: it needs more offers than one reservation takes. */
  readonly isCut: boolean;
}

/**
 * Among equal prices the tickets with better terms. The second one only when it costs more. Empty when some ride, or some
 * traveller, cannot be covered, or too few seats are free for all together.
 */
export function recommend(
  offers: readonly RecommendableOffer[],
  travellerIds: readonly string[],
  rideCount: number,
): Recommended {
  const any = findSeatedPlan(offers, travellerIds, rideCount);
  const refundable = offers.filter(({ isRefundable }) => isRefundable);
  const second = findSeatedPlan(refundable, travellerIds, rideCount);
  return { recommendations: recommendationsOf(any.plan, second.plan), isCut: any.isCut || second.isCut };
}

function recommendationsOf(cheapest?: SeatedPlan, refundable?: SeatedPlan): readonly Recommendation[] {
  if (!refundable) return cheapest ? [{ kind: 'CHEAPEST', ...cheapest }] : [];
  // Without a cheapest one the search has left out plans that cannot be reserved at once.
  if (!cheapest || refundable.totalPrice.amountMinor <= cheapest.totalPrice.amountMinor) {
    return [{ kind: 'CHEAPEST', ...refundable }];
  }
  return [
    { kind: 'CHEAPEST', ...cheapest },
    { kind: 'CHEAPEST_REFUNDABLE', ...refundable },
  ];
}
