/**
 * The cheapest plan whose seats are free, all of them together. Pure. Caller: recommend.ts.
 *
 * Where too few seats are free for the cheapest plan, as many travellers as must give them up: first those with tickets of
 * their own for whom it costs least, then each group of travellers in turn. They do without the offers that need these seats.
 * Cheapest of all is what is found so within the tries that {@link mostTries} allows.
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
import { findShortage, needsAny, placesFor, type SeatShortage } from './seat-demand.ts';
import { withoutSeats } from './without-seats.ts';

export interface SeatedPlan {
  readonly offers: readonly OfferUse[];
  readonly totalPrice: Price;
}

export interface FoundPlan {
  readonly plan?: SeatedPlan;
  /** A cheaper one was left out, because it has more entries than {@link MOST_ENTRIES}. */
  readonly isCut: boolean;
}

/** A reservation takes so many offer configurations, and everything of a plan is reserved or nothing. */
export const MOST_ENTRIES = 50;

/** Compared by its cost: see {@link costOf}. */
interface CostedPlan {
  readonly uses: readonly OfferUse[];
  readonly cost: number;
}

const MOST_TRIES = 50;
const LEAST_TRIES = 3;
/** Offers times travellers, in all tries: other requests wait meanwhile. */
const MOST_WORK = 30_000;

function mostTries(offers: number, travellers: number): number {
  return Math.min(MOST_TRIES, Math.max(LEAST_TRIES, Math.floor(MOST_WORK / Math.max(1, offers * travellers))));
}

export function findSeatedPlan(
  given: readonly RecommendableOffer[],
  travellerIds: readonly string[],
  rideCount: number,
): FoundPlan {
  const offers = given.filter(hasSeats).map((offer) => (rideCount === 0 ? { ...offer, legIndexes: [0] } : offer));
  const search = new PlanSearch(travellerIds, Math.max(1, rideCount), mostTries(offers.length, travellerIds.length));
  search.look(offers);
  const { best, leftOutCost } = search;
  const isCut = leftOutCost < (best?.cost ?? Number.POSITIVE_INFINITY);
  return { isCut, ...(best && { plan: priced(best.uses, byIdOf(offers)) }) };
}

/** For some of its travellers, or for the smallest party. */
function hasSeats({ needs, party }: RecommendableOffer): boolean {
  const places = placesFor(needs);
  return places === undefined || places >= (party?.minTravellers ?? 1);
}

class PlanSearch {
  readonly #travellerIds: readonly string[];
  readonly #rides: number;
  #triesLeft: number;
  best: CostedPlan | undefined;
  /** Of the cheapest plan with seats that has too many entries. */
  leftOutCost = Number.POSITIVE_INFINITY;

  constructor(travellerIds: readonly string[], rides: number, tries: number) {
    this.#travellerIds = travellerIds;
    this.#rides = rides;
    this.#triesLeft = tries;
  }

  look(offers: readonly RecommendableOffer[]): void {
    if (this.#triesLeft === 0) return;
    this.#triesLeft -= 1;
    const byId = byIdOf(offers);
    const plans = this.#plansOf(offers)
      .map((uses) => ({ uses, cost: sumOf(uses.map(({ offerId }) => costById(byId, offerId))) }))
      .toSorted((a, b) => a.cost - b.cost);
    const [cheapest] = plans;
    if (!cheapest || !this.#isBetter(cheapest)) return;
    const shortage = shortageOf(cheapest.uses, byId);
    this.#choose(shortage ? plans.slice(1) : plans, byId);
    if (!shortage) return;
    const using = cheapest.uses.flatMap(({ offerId, travellerIds }) => {
      const offer = byId.get(offerId);
      return offer && needsAny(offer, shortage.need) ? [{ offer, travellerIds }] : [];
    });
    const alone = new Set(using.flatMap(({ offer, travellerIds }) => (offer.party ? [] : travellerIds)));
    if (alone.size > shortage.excess) this.look(withoutSeats(offers, [...alone], shortage, this.#rides));
    for (const group of new Set(using.map(({ offer }) => groupOf(offer)))) {
      this.look(offers.filter((offer) => groupOf(offer) !== group || !needsAny(offer, shortage.need)));
    }
  }

  /** The cheapest one first. */
  #choose(plans: readonly CostedPlan[], byId: OffersById): void {
    for (const plan of plans) {
      if (!this.#isBetter(plan)) return;
      if (shortageOf(plan.uses, byId)) continue;
      if (priced(plan.uses, byId).offers.length <= MOST_ENTRIES) {
        this.best = plan;
        return;
      }
      this.leftOutCost = Math.min(this.leftOutCost, plan.cost);
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

function byIdOf(offers: readonly RecommendableOffer[]): OffersById {
  return new Map(offers.map((offer) => [offer.offerId, offer]));
}

function costById(byId: OffersById, offerId: string): number {
  const offer = byId.get(offerId);
  return offer ? costOf(offer) : 0;
}

function shortageOf(uses: readonly OfferUse[], byId: OffersById): SeatShortage | undefined {
  return findShortage(
    uses.map(({ offerId, travellerIds }) => ({
      needs: byId.get(offerId)?.needs ?? [],
      travellers: travellerIds.length,
    })),
  );
}

function groupOf({ party, travellerIds, legIndexes }: RecommendableOffer): string {
  return JSON.stringify([party !== undefined, travellerIds, ...(party ? [legIndexes] : [])]);
}

/** Uses of one traveller's offer by several are one entry; each party stays an entry. */
function priced(uses: readonly OfferUse[], byId: OffersById): SeatedPlan {
  const offers: { offerId: string; travellerIds: string[] }[] = [];
  const entries = new Map<string, string[]>();
  const prices: Price[] = [];
  for (const { offerId, travellerIds } of uses) {
    const offer = byId.get(offerId);
    if (!offer) continue;
    prices.push(offer.price);
    const known = offer.party ? undefined : entries.get(offerId);
    if (known) {
      known.push(...travellerIds);
      continue;
    }
    const entry = { offerId, travellerIds: [...travellerIds] };
    offers.push(entry);
    if (!offer.party) entries.set(offerId, entry.travellerIds);
  }
  return { offers, totalPrice: totalPrice(prices) };
}
