/** Plans that take every traveller over every ride: alone, or with parties. Pure. Caller: recommend.ts. */
import type { TravellerCount } from '../../shared/fares.ts';
import type { Price } from '../../shared/price.ts';
import { CheapestCovers, ridesOf } from './cheapest-cover.ts';
import { splitIntoParties } from './party-split.ts';

export interface RecommendableOffer {
  readonly offerId: string;
  /** Positions of its rides; empty where the search has none. */
  readonly legIndexes: readonly number[];
  readonly travellerIds: readonly string[];
  /** Per traveller, or for the party. */
  readonly price: Price;
  readonly party?: TravellerCount;
  readonly isRefundable: boolean;
  /** Free seats of those that its travellers must have; absent: it needs none. */
  readonly neededSeats?: number;
}

export interface OfferUse {
  readonly offerId: string;
  readonly travellerIds: readonly string[];
}

type OwnCovers = ReadonlyMap<string, CheapestCovers>;

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
      const choices = possible.map((offer) => ({ ...offer, amountMinor: offer.price.amountMinor }));
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

export function planParties(
  offers: readonly RecommendableOffer[],
  own: OwnCovers,
  travellerIds: readonly string[],
): readonly OfferUse[] | undefined {
  const covered = ridesOf(offers[0]?.legIndexes ?? []);
  const members = travellerIds.map((travellerId) => ({
    travellerId,
    aloneMinor: own.get(travellerId)?.find()?.amountMinor,
    besidesMinor: offers[0]?.travellerIds.includes(travellerId)
      ? own.get(travellerId)?.find(covered)?.amountMinor
      : undefined,
  }));
  const tickets = offers.map(({ offerId, price, party, neededSeats = Number.POSITIVE_INFINITY }) => ({
    ...{ offerId, amountMinor: price.amountMinor, minTravellers: party?.minTravellers ?? 1 },
    maxTravellers: Math.min(party?.maxTravellers ?? 1, neededSeats),
  }));
  const split = splitIntoParties(members, tickets);
  if (!split) return undefined;
  const inside = split.parties.flatMap((party) => party.travellerIds);
  const alone = planAlone(
    own,
    travellerIds.filter((id) => !inside.includes(id)),
  );
  const besides = planAlone(own, inside, covered);
  return alone && besides && [...split.parties, ...alone, ...besides];
}
