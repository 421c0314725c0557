/**
 * The cheapest offers that take every traveller of a search over every ride. Pure.
 *
 * Tickets of each traveller's own (cheapest-cover.ts) are compared with parties (party-split.ts). Parties that cover the
 * same rides for the same travellers may be mixed; others are compared.
 */

import type { Price } from '../../shared/price.ts';
import type { OfferUse, RecommendableOffer } from './recommended-plans.ts';
import { findSeatedPlan } from './seated-plan.ts';

export type RecommendationKind = 'CHEAPEST' | 'CHEAPEST_REFUNDABLE';

export interface Recommendation {
  readonly kind: RecommendationKind;
  readonly offers: readonly OfferUse[];
  readonly totalPrice: Price;
}

/**
 * Among equal prices the tickets with better terms. The second one only when it costs more. Empty when some ride, or some
 * traveller, cannot be covered, or too few seats are free for all together.
 */
export function recommend(
  offers: readonly RecommendableOffer[],
  travellerIds: readonly string[],
  rideCount: number,
): readonly Recommendation[] {
  const cheapest = findSeatedPlan(offers, travellerIds, rideCount);
  if (!cheapest) return [];
  const refundable = offers.filter(({ isRefundable }) => isRefundable);
  const second = findSeatedPlan(refundable, travellerIds, rideCount);
  if (!second) return [{ kind: 'CHEAPEST', ...cheapest }];
  if (second.totalPrice.amountMinor <= cheapest.totalPrice.amountMinor) return [{ kind: 'CHEAPEST', ...second }];
  return [
    { kind: 'CHEAPEST', ...cheapest },
    { kind: 'CHEAPEST_REFUNDABLE', ...second },
  ];
}
