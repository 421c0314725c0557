/**
 * The cheapest plan whose seats are free, all of them together. Pure. Caller: recommend.ts.
 *
 * Where too few seats are free for the cheapest plan, each group of travellers in turn gives them up: it does without the
 * offers that need them. Cheapest of all is what is found so within the tries that {@link mostTries} allows.
 */
import { sumOf } from '../../shared/money.ts';
import { type Price, totalPrice } from '../../shared/price.ts';
import {
  costOf,
  type OfferUse,
  ownCovers,
  partyClasses,
  planAlone,
  planParties,
  type RecommendableOffer,
} from './recommended-plans.ts';
import { competes, findShortage, placesFor, type SeatNeed } from './seat-demand.ts';

export interface SeatedPlan {
  readonly offers: readonly OfferUse[];
  readonly totalPrice: Price;
}

/** Compared by its cost: see {@link costOf}. */
interface CostedPlan extends SeatedPlan {
  readonly cost: number;
}

const MOST_TRIES = 50;
const LEAST_TRIES = 3;
/** In all tries: each takes some 60 µs an offer, and other requests wait meanwhile. */
const MOST_OFFERS = 1_500;

function mostTries(offers: number): number {
  return Math.min(MOST_TRIES, Math.max(LEAST_TRIES, Math.floor(MOST_OFFERS / Math.max(1, offers))));
}

export function findSeatedPlan(
  given: readonly RecommendableOffer[],
  travellerIds: readonly string[],
  rideCount: number,
): SeatedPlan | undefined {
  const offers = given.filter(hasSeats).map((offer) => (rideCount === 0 ? { ...offer, legIndexes: [0] } : offer));
  const search = new PlanSearch(travellerIds, Math.max(1, rideCount), mostTries(offers.length));
  search.look(offers);
  if (!search.best) return undefined;
  const { cost: _, ...best } = search.best;
  return best;
}

/** A party may also be recommended for as many as there are seats for. */
function hasSeats({ needs, party, travellerIds }: RecommendableOffer): boolean {
  const places = placesFor(needs);
  return places === undefined || places >= (party?.minTravellers ?? travellerIds.length);
}

class PlanSearch {
  readonly #travellerIds: readonly string[];
  readonly #rides: number;
  #triesLeft: number;
  best: CostedPlan | undefined;

  constructor(travellerIds: readonly string[], rides: number, tries: number) {
    this.#travellerIds = travellerIds;
    this.#rides = rides;
    this.#triesLeft = tries;
  }

  look(offers: readonly RecommendableOffer[]): void {
    if (this.#triesLeft === 0) return;
    this.#triesLeft -= 1;
    const byId = new Map(offers.map((offer) => [offer.offerId, offer]));
    const plans = this.#plansOf(offers)
      .map((uses) => ({ uses, ...priceUses(uses, byId) }))
      .toSorted((a, b) => a.cost - b.cost);
    const [cheapest] = plans;
    if (!cheapest || !this.#isBetter(cheapest)) return;
    const shortage = shortageOf(cheapest.uses, byId);
    const seated = shortage ? plans.find(({ uses }) => !shortageOf(uses, byId)) : cheapest;
    if (seated && this.#isBetter(seated)) {
      const { offers: best, totalPrice, cost } = seated;
      this.best = { offers: best, totalPrice, cost };
    }
    if (!shortage) return;
    const used = cheapest.uses.flatMap(({ offerId }) => byId.get(offerId) ?? []);
    const groups = new Set(used.filter((offer) => needsAny(offer, shortage)).map(groupOf));
    for (const group of groups) {
      this.look(offers.filter((offer) => groupOf(offer) !== group || !needsAny(offer, shortage)));
    }
  }

  #isBetter({ cost }: CostedPlan): boolean {
    return this.best === undefined || cost < this.best.cost;
  }

  #plansOf(offers: readonly RecommendableOffer[]): readonly (readonly OfferUse[])[] {
    const own = ownCovers(offers, this.#travellerIds, this.#rides);
    const alone = planAlone(own, this.#travellerIds);
    const shared = partyClasses(offers).flatMap((each) => planParties(each, own, this.#travellerIds));
    return [...(alone ? [alone] : []), ...shared];
  }
}

type OffersById = ReadonlyMap<string, RecommendableOffer>;

function shortageOf(uses: readonly OfferUse[], byId: OffersById): SeatNeed | undefined {
  return findShortage(
    uses.map(({ offerId, travellerIds }) => ({
      needs: byId.get(offerId)?.needs ?? [],
      travellers: travellerIds.length,
    })),
  );
}

function needsAny({ needs }: RecommendableOffer, shortage: SeatNeed): boolean {
  return needs.some((need) => competes(need, shortage));
}

function groupOf({ party, travellerIds, legIndexes }: RecommendableOffer): string {
  return JSON.stringify([party !== undefined, travellerIds, ...(party ? [legIndexes] : [])]);
}

/** Uses of one traveller's offer by several are one entry; each party stays an entry. */
function priceUses(uses: readonly OfferUse[], byId: OffersById): CostedPlan {
  const merged: OfferUse[] = [];
  const costs: number[] = [];
  const prices: Price[] = [];
  for (const { offerId, travellerIds } of uses) {
    const offer = byId.get(offerId);
    if (!offer) continue;
    prices.push(offer.price);
    costs.push(costOf(offer));
    const at = offer.party ? -1 : merged.findIndex((use) => use.offerId === offerId);
    if (at < 0) merged.push({ offerId, travellerIds });
    else merged[at] = { offerId, travellerIds: [...(merged[at]?.travellerIds ?? []), ...travellerIds] };
  }
  return { offers: merged, totalPrice: totalPrice(prices), cost: sumOf(costs) };
}
