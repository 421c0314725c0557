/** Plans that take every traveller over every ride: alone, or with parties. Pure. Caller: seated-plan.ts. */
import type { TravellerCount } from '../../shared/fares.ts';
import type { Price } from '../../shared/price.ts';
import { CheapestCovers, ridesOf } from './cheapest-cover.ts';
import { type PartyPool, splitsIntoParties } from './party-split.ts';
import { compartmentsFor, keyOf, placesFor, type SeatNeed } from './seat-demand.ts';

export interface RecommendableOffer {
  readonly offerId: string;
  /** Positions of its rides; empty where the search has none. */
  readonly legIndexes: readonly number[];
  readonly travellerIds: readonly string[];
  /** Per traveller, or for the party. */
  readonly price: Price;
  readonly party?: TravellerCount;
  readonly isRefundable: boolean;
  /** Decides among equal prices: 0 is best, {@link WORST_TERMS} the worst. */
  readonly worseTerms: number;
  /** Seats that its travellers must have; none: it needs none. */
  readonly needs: readonly SeatNeed[];
}

/** More than the terms of all tickets of a plan can add up to: of 50 travellers on 20 rides. */
const PER_MINOR_UNIT = 1_000_000;

/**
 * The price, and among equal prices the terms, as one number that searches add up and compare. It is exact up to some
 * billions of minor units.
 */
export function costOf({ price, worseTerms }: Pick<RecommendableOffer, 'price' | 'worseTerms'>): number {
  return price.amountMinor * PER_MINOR_UNIT + worseTerms;
}

export interface OfferUse {
  readonly offerId: string;
  readonly travellerIds: readonly string[];
}

export type OwnCovers = ReadonlyMap<string, CheapestCovers>;

/** Travellers with the same offers share one search. */
export function ownCovers(
  offers: readonly RecommendableOffer[],
  travellerIds: readonly string[],
  rides: number,
): OwnCovers {
  const known = new Map<string, CheapestCovers>();
  return new Map(
    travellerIds.map((travellerId) => {
      const possible = offers.filter((offer) => !offer.party && offer.travellerIds.includes(travellerId));
      const key = possible.map(({ offerId }) => offerId).join();
      const choices = possible.map((offer) => ({ ...offer, cost: costOf(offer) }));
      const covers = known.get(key) ?? new CheapestCovers(choices, rides);
      known.set(key, covers);
      return [travellerId, covers];
    }),
  );
}

export function planAlone(
  own: OwnCovers,
  travellerIds: readonly string[],
  covered = 0,
): readonly OfferUse[] | undefined {
  const uses: OfferUse[] = [];
  for (const travellerId of travellerIds) {
    const cover = own.get(travellerId)?.find(covered);
    if (!cover) return undefined;
    uses.push(...cover.choices.map(({ offerId }) => ({ offerId, travellerIds: [travellerId] })));
  }
  return uses;
}

/** Party offers that cover the same rides for the same travellers. */
export function partyClasses(offers: readonly RecommendableOffer[]): readonly (readonly RecommendableOffer[])[] {
  const parties = offers.filter(({ party }) => party);
  return [...Map.groupBy(parties, (offer) => `${offer.legIndexes} ${offer.travellerIds.join(' ')}`).values()];
}

/** One for each number of travellers who share tickets. */
export function planParties(
  offers: readonly RecommendableOffer[],
  own: OwnCovers,
  travellerIds: readonly string[],
): readonly (readonly OfferUse[])[] {
  const covered = ridesOf(offers[0]?.legIndexes ?? []);
  const members = travellerIds.map((travellerId) => ({
    travellerId,
    aloneCost: own.get(travellerId)?.find()?.cost,
    besidesCost: offers[0]?.travellerIds.includes(travellerId) ? own.get(travellerId)?.find(covered)?.cost : undefined,
  }));
  return splitsIntoParties(members, poolsOf(offers)).flatMap(({ parties }) => {
    const inside = parties.flatMap((party) => party.travellerIds);
    const ofParties = new Set(inside);
    const alone = planAlone(
      own,
      travellerIds.filter((id) => !ofParties.has(id)),
    );
    const besides = planAlone(own, inside, covered);
    return alone && besides ? [[...parties, ...alone, ...besides]] : [];
  });
}

/** Tickets that need the same kinds of seats share them. */
function poolsOf(offers: readonly RecommendableOffer[]): readonly PartyPool[] {
  const byNeeds = Map.groupBy(offers, ({ needs }) => needs.map(keyOf).join());
  return [...byNeeds.values()].map((ofPool) => {
    const needs = ofPool[0]?.needs ?? [];
    const [places, compartments] = [placesFor(needs), compartmentsFor(needs)];
    const tickets = ofPool.map((offer) => ({
      ...{ offerId: offer.offerId, cost: costOf(offer) },
      ...{ minTravellers: offer.party?.minTravellers ?? 1, maxTravellers: offer.party?.maxTravellers ?? 1 },
    }));
    return { tickets, ...(places !== undefined && { places }), ...(compartments && { compartments }) };
  });
}
