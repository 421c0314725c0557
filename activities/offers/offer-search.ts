/**
 * Answers a search: finds the travel in the timetable, prices it by the catalogue, counts seats, and stores the offers in
 * one write. Callers: the handlers of the API.
 */
import { draftOffers } from '../../workflows/offers/rules/draft-offers.ts';
import { type Notice, notice } from '../../workflows/offers/rules/notices.ts';
import { recommendDrafts } from '../../workflows/offers/rules/recommend-drafts.ts';
import { isRefundable } from '../../workflows/offers/rules/refund-summary.ts';
import { mergeUnavailable, type UnavailableProduct } from '../../workflows/offers/rules/unavailable.ts';
import type { OfferSearch, WantedTravel } from '../../workflows/offers/rules/wanted-travel.ts';
import { worseTerms } from '../../workflows/offers/rules/worse-terms.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { DistributionChannel } from '../shared/catalogue.ts';
import type { FareReader, Fares } from '../shared/fares.ts';
import type { SeatKeeper } from '../shared/seating.ts';
import type { TimetableReader } from '../shared/timetable.ts';
import { limitOffers, MAX_UNAVAILABLE } from './answer-limits.ts';
import { OFFER_LIFE_MS, type OfferSearchDocument } from './offer-document.ts';
import { offerIdAt, searchIdOfWork } from './offer-ids.ts';
import type { OfferStore } from './offer-store.ts';
import { packOffers } from './packed-search.ts';
import { resolveLegs } from './rides-of-legs.ts';
import { refuseFaults } from './search-faults.ts';
import { keptTraveller, readTravellers } from './searched-travellers.ts';
import { SeatCounts } from './seat-counts.ts';
import { type SeatedDraft, seatDrafts } from './seated-drafts.ts';
import { resolveWithoutLegs, startsAtMidnight } from './travel-without-legs.ts';
import type { GivenSearch, GivenTravel } from './wanted-search.ts';

export interface OfferSearchOptions {
  readonly timetable: TimetableReader;
  readonly fares: FareReader;
  readonly seating: Pick<SeatKeeper, 'count'>;
  readonly offers: OfferStore;
  readonly now?: () => Date;
}

export interface Searcher {
  readonly organisationId: OrganisationId;
  readonly channel: DistributionChannel;
  /** Of the request: a repeat makes the same ids. */
  readonly workId: string;
}

export class OfferSearches {
  readonly #options: OfferSearchOptions;
  readonly #now: () => Date;

  constructor(options: OfferSearchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** Throws VALIDATION_FAILED, which names every id that is unknown. */
  async search(searcher: Searcher, given: GivenSearch): Promise<OfferSearchDocument> {
    const now = this.#now();
    const fares = await this.#options.fares.current();
    const { travellers, faults } = readTravellers(given.travellers, fares);
    const resolved = await this.#resolve(given.travel, fares, now);
    refuseFaults([...faults, ...resolved.faults]);
    if (!('travel' in resolved)) throw new Error('A search without a fault has its travel');
    const search = { now, travellers, travel: resolved.travel, fares, channel: searcher.channel };
    const drafts = draftOffers(search);
    const counts = new SeatCounts(this.#options.seating, search.travel.kind === 'RIDES' ? search.travel.rides : []);
    const { seated, unavailable } = await seatDrafts(drafts.drafts, counts);
    const all = withoutOffered(mergeUnavailable([...drafts.unavailable, ...unavailable]), seated);
    const nameOfZone = await this.#zoneNames(seated);
    const isWithoutTime =
      given.travel.kind !== 'TRIP_PATTERN' && startsAtMidnight(given.travel, { now, timeZone: fares.timeZone });
    const more = { fares, nameOfZone, isWithoutTime };
    return await this.#options.offers.add(documentOf(searcher, search, seated, all, more));
  }

  /** Kept with the offer: tickets are printed long after the timetable was replaced. */
  async #zoneNames(seated: readonly SeatedDraft[]): Promise<(id: string) => string> {
    const isZonal = seated.some(({ draft }) => draft.coverage.geographicalValidity.zoneIds !== undefined);
    const zones = isZonal ? await this.#options.timetable.listFareZones() : [];
    const names = new Map(zones.map(({ id, name }) => [id, name]));
    return (id) => names.get(id) ?? id.slice(id.lastIndexOf(':') + 1);
  }

  async #resolve(travel: GivenTravel, fares: Fares, now: Date) {
    const { timetable } = this.#options;
    if (travel.kind === 'TRIP_PATTERN') return await resolveLegs(travel.legs, fares, timetable);
    return await resolveWithoutLegs(travel, { now, timeZone: fares.timeZone }, timetable);
  }
}

/** A supplement that one of the offers has is not unavailable. */
function withoutOffered(
  unavailable: readonly UnavailableProduct[],
  seated: readonly SeatedDraft[],
): readonly UnavailableProduct[] {
  const offered = new Set(seated.flatMap(({ draft }) => draft.supplements.map(({ id }) => id)));
  return unavailable.filter(({ productId }) => !offered.has(productId));
}

interface DocumentFacts {
  readonly fares: Fares;
  readonly nameOfZone: (id: string) => string;
  readonly isWithoutTime: boolean;
}

function documentOf(
  { organisationId, channel, workId }: Searcher,
  search: OfferSearch,
  seated: readonly SeatedDraft[],
  unavailable: readonly UnavailableProduct[],
  { fares, nameOfZone, isWithoutTime }: DocumentFacts,
): OfferSearchDocument {
  const searchId = searchIdOfWork(workId);
  const { now, travellers, travel } = search;
  const kept = limitOffers(seated);
  const numbered = kept.map(({ draft, needs }, place) => {
    const refunds = fares.refundRuleSets.get(draft.product.refundRuleSetId);
    const changes = fares.changeRuleSets.get(draft.product.changeRuleSetId);
    return {
      ...{ draft, needs, offerId: offerIdAt(searchId, place) },
      ...{ isRefundable: isRefundable(refunds), worseTerms: worseTerms(refunds, changes) },
    };
  });
  const { recommendations, isCut } = recommendDrafts(numbered, travellers, travel);
  const isPossible = () => {
    const seatless = numbered.map((each) => ({ ...each, needs: [] }));
    return recommendDrafts(seatless, travellers, travel).recommendations.length > 0;
  };
  return {
    ...{ _id: searchId, organisationId, distributionChannelId: channel.id, currency: channel.currency },
    catalogueVersion: fares.catalogueVersion,
    ...{ createdAt: now, expiresAt: new Date(now.getTime() + OFFER_LIFE_MS) },
    travellers: travellers.map(keptTraveller),
    ...packOffers(kept, travel, fares, nameOfZone),
    recommendations,
    unavailable: unavailable.slice(0, MAX_UNAVAILABLE),
    notices: noticesOf(kept, travel, {
      TOO_FEW_SEATS: recommendations.length === 0 && !isCut && isPossible(),
      STARTS_AT_MIDNIGHT: isWithoutTime && kept.some(isForHours),
      RECOMMENDATIONS_LEFT_OUT: isCut,
      OFFERS_LEFT_OUT: seated.length > kept.length,
      PRODUCTS_LEFT_OUT: unavailable.length > MAX_UNAVAILABLE,
    }),
  };
}

/** Not for whole days alone: `PT90M`, `P1DT12H`. */
function isForHours({ draft }: SeatedDraft): boolean {
  return draft.product.validityDuration?.includes('T') === true;
}

const SAID_OF_ALL = [
  'TOO_FEW_SEATS',
  'STARTS_AT_MIDNIGHT',
  'RECOMMENDATIONS_LEFT_OUT',
  'OFFERS_LEFT_OUT',
  'PRODUCTS_LEFT_OUT',
] as const;
type SaidOfAll = (typeof SAID_OF_ALL)[number];

function noticesOf(
  kept: readonly SeatedDraft[],
  travel: WantedTravel,
  said: Readonly<Record<SaidOfAll, boolean>>,
): readonly Notice[] {
  const covered = new Set(kept.flatMap(({ draft }) => draft.coverage.legIndexes));
  const rides = travel.kind === 'RIDES' ? travel.rides : [];
  const without = rides.flatMap(({ legId }, at) => (covered.has(at) ? [] : [legId]));
  return [
    ...(kept.length === 0 ? [notice('NOTHING_TO_BUY')] : []),
    ...(kept.length > 0 && without.length > 0 ? [notice('RIDES_WITHOUT_TICKET', without)] : []),
    ...SAID_OF_ALL.filter((code) => said[code]).map((code) => notice(code)),
  ];
}
