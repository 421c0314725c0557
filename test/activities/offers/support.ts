/** Priced offers out of the catalogue of test/spec/offers, for tests of what becomes of them. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { OFFER_LIFE_MS, type OfferSearchDocument } from '../../../activities/offers/offer-document.ts';
import { searchIdOfWork } from '../../../activities/offers/offer-ids.ts';
import { packOffers } from '../../../activities/offers/packed-search.ts';
import { keptTraveller } from '../../../activities/offers/searched-travellers.ts';
import { type Fares, indexTrains } from '../../../activities/shared/fares.ts';
import { draftOffers } from '../../../workflows/offers/rules/draft-offers.ts';
import type { OfferSearch } from '../../../workflows/offers/rules/wanted-travel.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { CHANNEL, NOW, type OfferCase, travellerOf, travelOf } from '../../spec/support/offer-case.ts';
import { fareTable, offerCatalogue } from '../../spec/support/offer-catalogue.ts';

const file = new URL('../../spec/offers/catalogue.yaml', import.meta.url);
const catalogue = offerCatalogue.parse(parse(readFileSync(file, 'utf8')));

export type SearchFacts = Pick<OfferCase, 'products' | 'travellers' | 'rides'>;

export function searchOf(facts: SearchFacts): OfferSearch & { readonly fares: Fares } {
  const table = fareTable(catalogue, facts.products);
  const fares = { ...table, catalogueVersion: 1, userTypes: [], entitlements: [], changeRuleSets: new Map() };
  return {
    ...{ now: NOW, channel: CHANNEL, fares: { ...fares, seatPlans: new Map(), trains: indexTrains([]) } },
    travellers: facts.travellers.map(travellerOf),
    travel: travelOf({ about: '', offers: [], ...facts }),
  };
}

const BUS = { line: 'B1', authority: 'CITY', mode: 'bus', km: 4, calls: ['A 10:00 z1', 'B 10:12 z1'] };

/** Single tickets of two adults and a child on one bus. */
export function storedSearch(workId: string, organisationId: OrganisationId, now: Date): OfferSearchDocument {
  const search = searchOf({ products: ['SINGLE'], travellers: ['ADULT', 'CHILD', 'ADULT'], rides: [BUS] });
  const seated = draftOffers(search).drafts.map((draft) => ({ draft, isAvailable: true, needs: [] }));
  return {
    ...{ _id: searchIdOfWork(workId), organisationId, distributionChannelId: 'TST:DistributionChannel:One' },
    ...{ catalogueVersion: 1, currency: 'NOK', createdAt: now, expiresAt: new Date(now.getTime() + OFFER_LIFE_MS) },
    travellers: search.travellers.map(keptTraveller),
    ...packOffers(seated, search.travel, search.fares),
    ...{ recommendations: [], unavailable: [], notices: [] },
  };
}
