/** Tests offers between stop places, in zones and with an authority, over the demo region. */
import assert from 'node:assert/strict';
import { COAST, LONG_DISTANCE } from './catalogue.ts';
import type { Answer, OffersServer } from './support.ts';

const [TERMINAL, BUS_STOP, NORTH] = ['NSR:StopPlace:900001', 'NSR:StopPlace:900507', 'NSR:StopPlace:900897'];
const [TOWN, INNER, OUTER] = ['NSR:FareZone:1', 'NSR:FareZone:2', 'NSR:FareZone:6'];
const travellers = [{ id: 't1', age: 34 }];

export function describeWithoutJourney(serverOf: () => OffersServer): void {
  describe('offers without a journey', () => {
    let server: OffersServer;
    before(() => {
      server = serverOf();
    });

    const tell = ({ status, body }: Answer) => {
      assert.equal(status, 200, JSON.stringify(body));
      return body.offers.map((offer) => `${offer.preassignedProducts[0]?.id} ${offer.totalPrice.amount}`);
    };
    const reasonOf = ({ body }: Answer, id: string) =>
      body.unavailableProducts.find(({ productId }) => productId === id)?.reason;

    it('between stop places are priced by the zones of a direct line', async () => {
      const answer = await server.search('stop-places', {
        ...{ travellers, from: TERMINAL, to: BUS_STOP, travelDate: '2026-11-24' },
      });
      assert.deepEqual(tell(answer), ['bus-single 120.00', 'bus-day 110.00']);
      const [single] = answer.body.offers;
      assert.deepEqual(single?.geographicalValidity, {
        ...{ authorityIds: [COAST], zoneIds: [TOWN, INNER, OUTER], zoneType: 'POINT_TO_POINT' },
        ...{ fromStopPlaceId: TERMINAL, toStopPlaceId: BUS_STOP },
      });
      assert.equal(single?.temporalValidity.startOfValidity, '2026-11-23T23:00:00.000Z');
      assert.deepEqual(single?.legs, []);
      assert.equal(reasonOf(answer, 'train'), 'NEEDS_JOURNEY');
      assert.equal(answer.body.recommendations[0]?.totalPrice.amount, '110.00');
    });

    it('between places without a direct line are none by zones', async () => {
      const answer = await server.search('stop-places', {
        travellers,
        from: BUS_STOP,
        to: NORTH,
        travelDate: '2026-11-24',
      });
      assert.deepEqual(tell(answer), []);
      assert.equal(reasonOf(answer, 'bus-single'), 'NO_DIRECT_CONNECTION');
    });

    it('in zones are priced by their number', async () => {
      const zones = [TOWN, INNER];
      const answer = await server.search('zones', { travellers, zones, travelDate: '2026-11-24T09:30:00+01:00' });
      assert.deepEqual(tell(answer), ['bus-single 80.00', 'bus-day 110.00']);
      assert.equal(answer.body.offers[0]?.temporalValidity.startOfValidity, '2026-11-24T08:30:00.000Z');
      assert.deepEqual(answer.body.offers[0]?.geographicalValidity.zoneIds, zones);
    });

    it('with an authority are those for all that it has', async () => {
      const answer = await server.search('authority', { travellers, authority: COAST, travelDate: '2026-11-24' });
      assert.deepEqual(tell(answer), ['bus-day 110.00']);
      assert.equal(reasonOf(answer, 'bus-single'), 'NEEDS_ZONES');
      const other = await server.search('authority', {
        travellers,
        authority: LONG_DISTANCE,
        travelDate: '2026-11-24',
      });
      assert.deepEqual(tell(other), []);
      assert.equal(reasonOf(other, 'bus-day'), 'OUTSIDE_AREA');
    });

    it('begin now when they are for today or have just passed', async () => {
      for (const travelDate of ['2026-11-23', '2026-11-23T05:57:00Z']) {
        const { body } = await server.search('authority', { travellers, authority: COAST, travelDate });
        assert.equal(body.offers[0]?.temporalValidity.startOfValidity, new Date(server.clock.ms).toISOString());
      }
    });

    it('say that tickets of some hours begin at midnight where the search names no time', async () => {
      const codes = async (zones: readonly string[], travelDate: string) => {
        const { body } = await server.search('zones', { travellers, zones, travelDate });
        return body.notices.map(({ code }) => code);
      };
      assert.deepEqual(await codes([TOWN], '2026-11-24'), ['STARTS_AT_MIDNIGHT']);
      for (const travelDate of ['2026-11-23', '2026-11-24T09:30:00+01:00'])
        assert.deepEqual(await codes([TOWN], travelDate), [], travelDate);
      const days = await server.search('authority', { travellers, authority: COAST, travelDate: '2026-11-24' });
      assert.deepEqual([tell(days), days.body.notices], [['bus-day 110.00'], []]);
    });

    it('are none for a day that has passed or is not on sale yet', async () => {
      for (const [travelDate, reason] of [
        ['2026-11-22', 'DEPARTED'],
        ['2026-11-23T05:00:00Z', 'DEPARTED'],
        ['2026-12-24', 'SALE_NOT_OPEN'],
        ['9999-12-31T23:59:59Z', 'SALE_NOT_OPEN'],
        ['0001-01-01', 'DEPARTED'],
      ] as const) {
        const answer = await server.search('authority', { travellers, authority: COAST, travelDate });
        assert.deepEqual([tell(answer), reasonOf(answer, 'bus-day')], [[], reason], travelDate);
      }
    });

    it('refuse what the timetable lacks, each with its pointer', async () => {
      const travelDate = '2026-11-24';
      for (const [kind, given, pointers] of [
        ['stop-places', { from: 'x', to: 'y', travelDate }, ['/from', '/to']],
        ['stop-places', { from: TERMINAL, to: TERMINAL, travelDate }, ['/to']],
        ['stop-places', { from: TERMINAL, travelDate }, ['/to']],
        ['zones', { zones: [TOWN, 'NSR:FareZone:99'], travelDate }, ['/zones/1']],
        ['zones', { zones: [], travelDate }, ['/zones']],
        ['authority', { authority: 'DEM:Authority:None', travelDate }, ['/authority']],
        ['authority', { authority: COAST, extra: 1, travelDate }, ['/extra']],
      ] as const) {
        const { status, body } = await server.search(kind, { travellers, ...given });
        assert.deepEqual([status, body.code], [400, 'VALIDATION_FAILED'], JSON.stringify(body));
        assert.deepEqual(
          body.errors?.map(({ pointer }) => pointer),
          pointers,
        );
      }
      for (const wrong of ['2026-02-30', 'tomorrow', '2026-11-24T09:30:00', 20261124]) {
        const { status, body } = await server.search('authority', { travellers, authority: COAST, travelDate: wrong });
        assert.equal(status, 400);
        assert.ok(
          body.errors?.every(({ pointer }) => pointer === '/travelDate'),
          JSON.stringify(body),
        );
      }
    });
  });
}
