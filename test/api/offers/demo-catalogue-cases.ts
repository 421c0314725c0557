/** Tests what partners find with the demo's own catalogue and timetable. */
import assert from 'node:assert/strict';
import { contentOf } from '../../../activities/catalogue/catalogue-content.ts';
import type { Schemas } from '../../../api/offers/contract.gen.ts';
import { demoCatalogue } from '../../../dev/demo/catalogue/demo-catalogue.ts';
import { STUDENT_CARD } from '../../../dev/demo/catalogue/travellers.ts';
import { ridesOf } from '../../../dev/demo/trip-patterns.ts';
import { OffersServer } from './support.ts';
import { type Demo, tripPatterns } from './trips.ts';

/** Central station and its bus terminal; ends of the railway, of a coach line and of bus lines. */
const [TERMINAL, STATION] = ['NSR:StopPlace:900001', 'NSR:StopPlace:900002'];
const PLACES = ['900897', '900911', '900871', '900875', '900507', '900323', '900915'].map(
  (id) => `NSR:StopPlace:${id}`,
);
const TRAVELLERS = [
  { id: 'adult', age: 40 },
  { id: 'other', age: 41 },
  { id: 'student', age: 22, userType: 'STUDENT', entitlementIds: [STUDENT_CARD] },
];

export function describeDemoCatalogue(demo: Demo): void {
  describe('offers of the demo', () => {
    let server: OffersServer;
    const found: Schemas['Offer'][] = [];
    const answers: { readonly rides: number; readonly body: Schemas['OfferAnswer'] }[] = [];
    before(async () => {
      server = await OffersServer.start(demo.planner.timetable, contentOf(demoCatalogue()));
      const ends = PLACES.map((to) => [to.endsWith('897') || to.endsWith('911') ? STATION : TERMINAL, to] as const);
      for (const [from = '', to] of [...ends, [PLACES[0], PLACES[1]] as const]) {
        for (const tripPattern of (await tripPatterns(demo.planner, from, to ?? '')).slice(0, 2)) {
          const rides = ridesOf(tripPattern).length;
          if (rides === 0) continue;
          const { status, body } = await server.search('trip-pattern', { travellers: TRAVELLERS, tripPattern });
          assert.equal(status, 200, JSON.stringify(body));
          answers.push({ rides, body });
          found.push(...body.offers);
        }
      }
    });
    after(() => server?.close());

    const english = (texts: Schemas['Texts']) => texts.find(({ lang }) => lang === 'eng')?.value ?? '';

    it('exist for every journey, with a recommendation', () => {
      assert.ok(answers.length >= 10);
      for (const { body } of answers) assert.ok(body.recommendations.length > 0, JSON.stringify(body.notices));
    });

    it('recommend what costs no more than any ticket that everybody shares', () => {
      let compared = 0;
      for (const { rides, body } of answers) {
        const limit = Number(body.recommendations[0]?.totalPrice.amount);
        for (const { legs, available, travellerMapping, totalPrice } of body.offers) {
          const isParty = travellerMapping.some(({ minTravellers }) => minTravellers > 1);
          const members = travellerMapping.flatMap(({ travellerIds }) => travellerIds);
          if (!available || !isParty || legs.length < rides || members.length < TRAVELLERS.length) continue;
          assert.ok(limit <= Number(totalPrice.amount), JSON.stringify(body.recommendations[0]));
          compared += 1;
        }
      }
      assert.ok(compared > 0);
    });

    it('have seats where a seat is compulsory: many and few', () => {
      const seated = found.filter(({ seating }) => seating.required);
      assert.ok(seated.some(({ seating }) => (seating.availableSeats ?? 0) >= 60));
      assert.ok(seated.some(({ seating: { availableSeats = 0 } }) => availableSeats >= 2 && availableSeats <= 40));
    });

    it('have rules of refund of every kind', () => {
      const summaries = found.map(({ refundRuleSummary }) => english(refundRuleSummary));
      assert.ok(summaries.includes('No refund.'));
      assert.ok(summaries.some((text) => /: 100 % back\.?(, if the ticket is unused\.)?$/.test(text)));
      assert.ok(summaries.some((text) => /: \d\d % back|minus NOK/.test(text)));
    });

    it('have a compartment for two, an entitlement, and both kinds of supplements', () => {
      assert.ok(found.some(({ travellerMapping }) => travellerMapping.some(({ minTravellers }) => minTravellers >= 2)));
      assert.ok(found.some(({ requiredEntitlements }) => requiredEntitlements.length > 0));
      const kinds = new Set(
        found.flatMap(({ optionalProducts }) => optionalProducts.map((each) => each.modifiesSeating)),
      );
      assert.deepEqual(kinds, new Set([true, false]));
    });
  });
}
