/** Offers shown by data: test/spec/offers/*.yaml say what a search finds, and at what price; see package.md there. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { DraftOffer } from '../../workflows/offers/rules/draft-offer.ts';
import { type Drafts, draftOffers } from '../../workflows/offers/rules/draft-offers.ts';
import { recommendDrafts } from '../../workflows/offers/rules/recommend-drafts.ts';
import type { OfferSearch } from '../../workflows/offers/rules/wanted-travel.ts';
import { localDateOf } from '../../workflows/shared/local-time.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import { CHANNEL, NOW, type OfferCase, OSLO, offerCases, travellerOf, travelOf } from './support/offer-case.ts';
import { fareTable, offerCatalogue } from './support/offer-catalogue.ts';

const CATALOGUE = 'catalogue.yaml';
const folder = new URL('./offers/', import.meta.url);
const read = (name: string): unknown => parse(readFileSync(new URL(name, folder), 'utf8'));
const catalogue = offerCatalogue.parse(read(CATALOGUE));
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== CATALOGUE);
const kroner = (amountMinor: number) => formatAmount(amountMinor, 'NOK');

function searchOf(one: OfferCase): OfferSearch {
  const fares = fareTable(catalogue, one.products);
  return { now: NOW, travellers: one.travellers.map(travellerOf), travel: travelOf(one), fares, channel: CHANNEL };
}

function tell({ product, coverage, travellerMapping, totalPrice, party }: DraftOffer): string {
  const who = travellerMapping.map(({ travellerIds, userTypeId }) => `${travellerIds.length} ${userTypeId}`).join(', ');
  const rides = coverage.legIndexes.map((at) => at + 1).join(' ');
  const where = rides === '' ? '' : ` on ${coverage.legIndexes.length > 1 ? 'rides' : 'ride'} ${rides}`;
  return `${product.id} for ${who}${where} costs ${kroner(totalPrice.amountMinor)} ${party ? 'together' : 'each'}`;
}

function tellTime(instant: Date): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: OSLO, hour: '2-digit', minute: '2-digit' }).format(instant);
  return `${localDateOf(instant, OSLO)} ${time}`;
}

function tellRecommended({ drafts }: Drafts, { travellers, travel, fares }: OfferSearch): readonly string[] {
  const numbered = drafts.map((draft, at) => ({
    ...{ draft, needs: [], offerId: String(at) },
    isRefundable: fares.refundRuleSets.get(draft.product.refundRuleSetId)?.rules.length !== 0,
    worseTerms: 0,
  }));
  return recommendDrafts(numbered, travellers, travel).recommendations.map(({ offers, totalPrice }) => {
    const uses = offers.map(
      ({ offerId, travellerIds }) => `${drafts[Number(offerId)]?.product.id} for ${travellerIds.join(' ')}`,
    );
    return `${kroner(totalPrice.amountMinor)}: ${uses.join(', ')}`;
  });
}

function show(one: OfferCase): void {
  const search = searchOf(one);
  const found = draftOffers(search);
  assert.deepEqual(found.drafts.map(tell), one.offers);
  const reasons = found.unavailable.map(
    ({ productId, reason, travellerIds, minTravellers, maxTravellers, requiredEntitlements, onSaleFrom }) =>
      [
        `${productId} for ${travellerIds.join(' ')} is ${reason}`,
        ...(minTravellers === undefined ? [] : [`${minTravellers}-${maxTravellers}`]),
        ...(requiredEntitlements ?? []),
        ...(onSaleFrom === undefined ? [] : [onSaleFrom]),
      ].join(' '),
  );
  assert.deepEqual(reasons, one.unavailable ?? []);
  if (one.recommended) assert.deepEqual(tellRecommended(found, search), one.recommended);
  for (const [id, valid] of Object.entries(one.valid ?? {})) {
    const coverage = found.drafts.find(({ product }) => product.id === id)?.coverage;
    assert.equal(coverage && `${tellTime(coverage.startOfValidity)} to ${tellTime(coverage.endOfValidity)}`, valid);
  }
  for (const [id, supplements] of Object.entries(one.supplements ?? {})) {
    const offered = found.drafts.find(({ product }) => product.id === id)?.supplements ?? [];
    const told = offered.map(
      (each) => `${each.id} ${kroner(each.price.amountMinor)}${each.isCompulsory ? ' compulsory' : ''}`,
    );
    assert.deepEqual(told, supplements);
  }
}

describe('offers', () => {
  for (const name of names) {
    describe(name, () => {
      for (const one of offerCases.parse(read(name))) it(one.about, () => show(one));
    });
  }
});
