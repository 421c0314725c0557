/** Tests offers for journeys: from answers of the real planner over the demo region. */
import assert from 'node:assert/strict';
import type { Schemas } from '../../../api/offers/contract.gen.ts';
import { ridesOf, type SearchedPattern } from '../../../dev/demo/trip-patterns.ts';
import { COACH_LINE } from './catalogue.ts';
import type { Answer, OffersServer } from './support.ts';
import { type Demo, tripPatterns } from './trips.ts';

/** Central station's bus terminal, a bus stop inland, and places on the railway and the coach line. */
const [TERMINAL, BUS_STOP, NORTH, COACH_STOP] = [900_001, 900_507, 900_897, 900_871].map((n) => `NSR:StopPlace:${n}`);
const ADULT = { id: 't1', age: 34 };

export function describeTripPatterns(demo: Demo, serverOf: () => OffersServer): void {
  describe('offers for a trip pattern', () => {
    let server: OffersServer;
    before(() => {
      server = serverOf();
    });

    const patterns = async (from = TERMINAL, to = BUS_STOP) => await tripPatterns(demo.planner, from ?? '', to ?? '');
    async function searchTrip(tripPattern: SearchedPattern, travellers: readonly object[] = [ADULT]): Promise<Answer> {
      const answer = await server.search('trip-pattern', { travellers, tripPattern });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer;
    }
    const productOf = (offer: Schemas['Offer']) => offer.preassignedProducts[0]?.id;

    it('cover every ride of every trip that the planner finds, with and without dated journeys', async () => {
      let [rides, dated, walks, changes] = [0, 0, 0, 0];
      for (const to of [BUS_STOP, NORTH, COACH_STOP, 'NSR:StopPlace:900323', 'NSR:StopPlace:900915']) {
        for (const pattern of await patterns(TERMINAL, to)) {
          const wanted = ridesOf(pattern);
          if (wanted.length === 0) continue;
          const { body } = await searchTrip(pattern);
          const covered = new Set(body.offers.flatMap(({ legs }) => legs.map(({ legId }) => legId)));
          assert.deepEqual(
            [...covered].sort(),
            wanted.map((_, at) => `leg-${at + 1}`),
            JSON.stringify(pattern),
          );
          assert.equal(body.recommendations[0]?.kind, 'CHEAPEST');
          rides += wanted.length;
          dated += wanted.filter(({ datedServiceJourneyId }) => datedServiceJourneyId).length;
          walks += pattern.legs.length - wanted.length;
          changes += wanted.length > 1 ? 1 : 0;
        }
      }
      assert.ok(
        rides > 10 && dated > 0 && dated < rides && walks > 0 && changes > 0,
        `${[rides, dated, walks, changes]}`,
      );
    });

    it('say price, tax, validity, travellers, refund and place', async () => {
      const [pattern] = await patterns();
      assert.ok(pattern);
      const ride = ridesOf(pattern)[0];
      const { body, headers } = await searchTrip({ legs: ride ? [ride] : [] }, [
        ADULT,
        { id: 't2', userType: 'CHILD' },
      ]);
      const single = body.offers.find((offer) => productOf(offer) === 'bus-single');
      assert.ok(single && ride);
      const zones = single.geographicalValidity.zoneIds?.length ?? 0;
      assert.deepEqual(single.price, {
        ...{ amount: `${zones * 40}.00`, currency: 'NOK', taxAmount: ((zones * 40 * 12) / 112).toFixed(2) },
        ...{ taxRate: 12, taxCode: 'VAT_LOW' },
      });
      assert.deepEqual(single.totalPrice, single.price);
      assert.deepEqual(single.travellerMapping, [
        { travellerIds: ['t1'], userType: 'ADULT', minTravellers: 1, maxTravellers: 1 },
      ]);
      const start = new Date(ride.expectedStartTime);
      assert.deepEqual(single.temporalValidity, {
        startOfValidity: start.toISOString(),
        endOfValidity: new Date(start.getTime() + 7_200_000).toISOString(),
      });
      assert.match(
        single.refundRuleSummary.find(({ lang }) => lang === 'eng')?.value ?? '',
        /^Until the ticket becomes/,
      );
      assert.deepEqual(
        single.optionalProducts.map(({ id, price }) => [id, price.amount]),
        [['bicycle', '30.00']],
      );
      assert.deepEqual([single.available, single.seating], [true, { required: false }]);
      assert.equal(single.legs[0]?.serviceJourneyId, ride.serviceJourneyId);
      assert.equal(headers.get('expires'), new Date(single.expiresAt).toUTCString());
      assert.equal(Date.parse(single.expiresAt) - server.clock.ms, 1_800_000);
      assert.deepEqual(
        body.optionalProducts.map(({ id }) => id),
        ['bicycle'],
      );
    });

    it('recommend a group for many, and singles for few', async () => {
      const [pattern] = await patterns();
      const travellers = Array.from({ length: 12 }, (_, at) => ({ id: `t${at}`, age: 30 }));
      const { body } = await searchTrip(pattern as SearchedPattern, travellers);
      const group = body.offers.find((offer) => productOf(offer) === 'bus-group');
      assert.deepEqual(group?.travellerMapping[0]?.minTravellers, 3);
      const [cheapest] = body.recommendations;
      assert.ok(cheapest?.offers.some(({ offerId }) => offerId === group?.id));
      const taken = cheapest?.offers.flatMap(({ travellerIds }) => travellerIds) ?? [];
      assert.deepEqual([...taken].sort(), travellers.map(({ id }) => id).sort());
      const few = (await searchTrip(pattern as SearchedPattern)).body;
      assert.deepEqual(
        few.unavailableProducts.find(({ productId }) => productId === 'bus-group')?.reason,
        'GROUP_SIZE',
      );
    });

    it('count free seats where a seat is compulsory', async () => {
      const found = (await patterns(TERMINAL, COACH_STOP)).flatMap(ridesOf).find(({ lineId }) => lineId === COACH_LINE);
      assert.ok(found);
      const { body } = await searchTrip({ legs: [found] }, [ADULT, { id: 't2', age: 30 }]);
      const coach = body.offers.find((offer) => productOf(offer) === 'coach');
      assert.deepEqual(coach?.seating, { required: true, availableSeats: 4 });
      assert.deepEqual(
        coach?.optionalProducts.map(({ id, modifiesSeating }) => [id, modifiesSeating]),
        [['window', true]],
      );
    });

    it('need the entitlement that a product asks for', async () => {
      const found = (await patterns(TERMINAL, NORTH)).flatMap(ridesOf).find(({ mode }) => mode === 'rail');
      assert.ok(found);
      const student = { id: 't2', userType: 'STUDENT', entitlementIds: ['STUDENT_CARD'], customerNumber: '12345678' };
      const { body } = await searchTrip({ legs: [found] }, [ADULT, student]);
      const offer = body.offers.find((each) => productOf(each) === 'train-student');
      assert.deepEqual(
        [offer?.requiredEntitlements, offer?.travellerMapping[0]?.travellerIds],
        [['STUDENT_CARD'], ['t2']],
      );
      assert.deepEqual(
        body.unavailableProducts.find(({ productId }) => productId === 'train-student'),
        {
          ...{ productId: 'train-student', reason: 'ENTITLEMENT_MISSING', travellerIds: ['t1'] },
          requiredEntitlements: ['STUDENT_CARD'],
        },
      );
    });

    it('tell which rides nobody can buy', async () => {
      const pattern = (await patterns(BUS_STOP, NORTH)).find((each) => {
        const modes = ridesOf(each).map(({ mode }) => mode);
        return modes.includes('bus') && modes.includes('rail');
      });
      assert.ok(pattern);
      const { body } = await searchTrip(pattern, [{ ...ADULT, productIds: ['train'] }]);
      const [notice] = body.notices;
      const buses = ridesOf(pattern).flatMap(({ mode }, at) => (mode === 'bus' ? [`leg-${at + 1}`] : []));
      assert.deepEqual([notice?.code, notice?.legIds, body.recommendations], ['RIDES_WITHOUT_TICKET', buses, []]);
    });

    it('are none for a journey that has left', async () => {
      const [pattern] = await patterns();
      server.clock.ms += 86_400_000;
      try {
        const { body } = await searchTrip(pattern as SearchedPattern);
        assert.deepEqual(body.offers, []);
        assert.ok(body.unavailableProducts.some(({ reason }) => reason === 'DEPARTED'));
        assert.deepEqual(
          body.notices.map(({ code }) => code),
          ['NOTHING_TO_BUY'],
        );
      } finally {
        server.clock.ms -= 86_400_000;
      }
    });

    it('refuse what the timetable or the catalogue lack, each with its pointer', async () => {
      const [pattern] = await patterns();
      const ride = ridesOf(pattern as SearchedPattern)[0];
      assert.ok(ride);
      const rail = (await patterns(TERMINAL, NORTH)).flatMap(ridesOf).find(({ mode }) => mode === 'rail');
      assert.ok(rail);
      const [foot, ...none] = [
        { mode: 'foot', expectedStartTime: ride.expectedStartTime, expectedEndTime: ride.expectedEndTime },
      ];
      for (const [legs, travellers, pointers] of [
        [[{ ...ride, fromStopPlaceId: 'NSR:StopPlace:1' }], [ADULT], ['/tripPattern/legs/0/fromStopPlaceId']],
        [[foot, ride, ride], [ADULT], ['/tripPattern/legs/2']],
        [
          [foot, { ...ride, serviceJourneyId: 'DEM:ServiceJourney:0' }],
          [ADULT],
          ['/tripPattern/legs/1/serviceJourneyId'],
        ],
        [
          [
            {
              ...ride,
              fromStopPlaceId: 'NSR:StopPlace:1',
              lineId: 'DEM:Line:0',
              serviceJourneyId: 'DEM:ServiceJourney:0',
            },
            { ...ride, lineId: 'DEM:Line:0', datedServiceJourneyId: `${ride.serviceJourneyId}@1999-01-01` },
          ],
          [ADULT],
          [
            ...['fromStopPlaceId', 'lineId', 'serviceJourneyId'].map((member) => `/tripPattern/legs/0/${member}`),
            ...['lineId', 'datedServiceJourneyId'].map((member) => `/tripPattern/legs/1/${member}`),
          ],
        ],
        [
          [{ ...ride, datedServiceJourneyId: `${ride.serviceJourneyId}@2026-11-24` }],
          [ADULT],
          ['/tripPattern/legs/0/datedServiceJourneyId'],
        ],
        [
          [
            {
              ...ride,
              serviceJourneyId: rail.serviceJourneyId,
              datedServiceJourneyId: `${ride.serviceJourneyId}@2026-11-23`,
            },
          ],
          [ADULT],
          ['/tripPattern/legs/0/serviceJourneyId'],
        ],
        [
          [{ ...ride, datedServiceJourneyId: rail.datedServiceJourneyId ?? `${rail.serviceJourneyId}@2026-11-23` }],
          [ADULT],
          ['/tripPattern/legs/0/datedServiceJourneyId'],
        ],
        [[{ ...ride, fromStopPlaceId: COACH_STOP }], [ADULT], ['/tripPattern/legs/0/fromStopPlaceId']],
        [[{ ...ride, toStopPlaceId: COACH_STOP }], [ADULT], ['/tripPattern/legs/0/toStopPlaceId']],
        [
          [{ ...ride, fromStopPlaceId: ride.toStopPlaceId, toStopPlaceId: ride.fromStopPlaceId }],
          [ADULT],
          ['/tripPattern/legs/0/toStopPlaceId'],
        ],
        [[{ ...ride, lineId: 'DEM:Line:0' }], [ADULT], ['/tripPattern/legs/0/lineId']],
        [[{ ...ride, serviceJourneyId: null }], [ADULT], ['/tripPattern/legs/0/serviceJourneyId']],
        [[{ ...ride, expectedEndTime: '2026-11-20T00:00:00Z' }], [ADULT], ['/tripPattern/legs/0/expectedEndTime']],
        [[{ ...ride, expectedEndTime: '2026-12-20T00:00:00Z' }], [ADULT], ['/tripPattern/legs/0/expectedEndTime']],
        [[foot], [ADULT], ['/tripPattern/legs']],
        [none, [ADULT], ['/tripPattern/legs']],
        [[ride], [{ id: 't1' }], ['/travellers/0']],
        [[ride], [{ id: 't1', age: 3 }], ['/travellers/0/age']],
        [[ride], [{ id: 't1', userType: 'DOG' }], ['/travellers/0/userType']],
        [[ride], [{ id: 't1', userType: 'CHILD', age: 30 }], ['/travellers/0/age']],
        [[ride], [{ ...ADULT, customerNumber: 'x' }], ['/travellers/0/customerNumber']],
        [[ride], [ADULT, ADULT], ['/travellers/1/id']],
        [[ride], Array.from({ length: 51 }, (_, at) => ({ id: `t${at}`, age: 30 })), ['/travellers']],
        [Array.from({ length: 21 }, () => ride), [ADULT], ['/tripPattern/legs']],
        [
          [{ ...ride, toStopPlaceId: 'NSR:StopPlace:2' }],
          [{ ...ADULT, productIds: ['bus-day', 'nothing'], entitlementIds: ['CROWN'] }],
          ['/travellers/0/entitlementIds/0', '/travellers/0/productIds/1', '/tripPattern/legs/0/toStopPlaceId'],
        ],
      ] as const) {
        const { status, body } = await server.search('trip-pattern', { travellers, tripPattern: { legs } });
        assert.deepEqual([status, body.code], [400, 'VALIDATION_FAILED'], JSON.stringify(body));
        assert.deepEqual(
          body.errors?.map(({ pointer }) => pointer),
          pointers,
        );
      }
    });
  });
}
