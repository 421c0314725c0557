/** Which travellers with tickets of their own do without seats when too few are free. Pure. Caller: seated-plan.ts. */
import { type OwnCovers, ownCovers, type RecommendableOffer } from './recommended-plans.ts';
import { needsAny, type SeatShortage } from './seat-demand.ts';

/** As many of `travellerIds` as must do without lose the offers that need these seats: those for whom it costs least. */
export function withoutSeats(
  offers: readonly RecommendableOffer[],
  travellerIds: readonly string[],
  { need, excess }: SeatShortage,
  rides: number,
): readonly RecommendableOffer[] {
  const isScarce = (offer: RecommendableOffer) => !offer.party && needsAny(offer, need);
  const others = offers.filter((offer) => !isScarce(offer));
  const [now, then] = [ownCovers(offers, travellerIds, rides), ownCovers(others, travellerIds, rides)];
  const losses = travellerIds.map((id) => ({ id, loss: costIn(then, id) - costIn(now, id) }));
  const cheapestFirst = losses.toSorted((a, b) => a.loss - b.loss);
  const without = new Set(cheapestFirst.slice(0, excess).map(({ id }) => id));
  return offers.map((offer) =>
    isScarce(offer) ? { ...offer, travellerIds: offer.travellerIds.filter((id) => !without.has(id)) } : offer,
  );
}

/** More than any price for a traveller who then has no ticket. */
function costIn(covers: OwnCovers, travellerId: string): number {
  return covers.get(travellerId)?.find()?.cost ?? Number.MAX_SAFE_INTEGER;
}
