/** Tests what the catalogue says of a day of travel, by the stored rows of a small timetable. */
import assert from 'node:assert/strict';
import type { Connection } from 'mongoose';
import { contentOf } from '../../../activities/catalogue/catalogue-content.ts';
import { createApp } from '../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { openCatalogue } from '../../activities/catalogue/support.ts';
import { PublishedRows } from '../../activities/timetable/reader/support.ts';
import { createNetwork } from '../../planner/support/network.ts';
import { sampleCatalogue } from '../../spec/support/catalogue-case.ts';
import { catalogueArea } from '../support/catalogue-area.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

const headers = { authorization: 'Bearer partner/1/offers:search' };

describe('A day of travel in the catalogue', () => {
  let connection: Connection;
  let server: RunningServer;
  before(async () => {
    const opened = await openCatalogue();
    ({ connection } = opened);
    const { area, findChannel } = catalogueArea(connection, opened.store);
    const app = createApp({ areas: [area], log: silentLog, verifyToken: readPlainToken, findChannel });
    server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
    await opened.store.replace(contentOf(sampleCatalogue()));
  });
  after(async () => {
    await server.close();
    await connection.dropDatabase();
    await connection.close();
  });
  const get = async (query: string) => {
    const response = await fetch(`${server.url}/v1/catalogue${query}`, { headers });
    // biome-ignore lint/suspicious/noExplicitAny: the answer is compared member by member
    return { status: response.status, body: (await response.json()) as any };
  };

  it('has no places and no journeys before the first timetable', async () => {
    const { body } = await get('?travelDate=2026-11-23');
    assert.deepEqual([body.stopPlaces, body.fareZones, body.authorities, body.datedServiceJourneys], [[], [], [], []]);
    assert.deepEqual([body.page, body.perPage, body.totalItems, body.totalPages], [1, 25, 0, 0]);
  });

  it('lists places, and journeys with their seats and calls, a page at a time', async () => {
    const network = createNetwork();
    network.builder.addTariffZone({ id: 'TST:FareZone:Z', name: 'Middle' });
    network.stopPlace('A', ['A1 59.900 10.700'], { tariffZoneIds: ['TST:FareZone:Z'] });
    network.stopPlace('B', ['B1 59.910 10.702']).stopPlace('C', ['C1 59.930 10.700']);
    network.line('1', ['A1 08:00 - B1 08:10/08:12 - C1 08:20', 'A1 09:00 - B1 09:10 - C1 09:20']);
    network.line('0', ['C1 06:00 - A1 06:30']).line('2', ['C1 07:00 - A1 07:30']);
    await new PublishedRows(connection).publish(network.open());
    // The reader looks for a newer timetable every second.
    let found = await get('?travelDate=2026-11-23');
    while (found.body.totalItems === 0) found = await get('?travelDate=2026-11-23');
    const { body } = found;
    assert.deepEqual(
      body.stopPlaces.map(({ id }: { id: string }) => id),
      ['A', 'B', 'C'].map((name) => `TST:StopPlace:${name}`),
    );
    assert.deepEqual(body.fareZones, [{ id: 'TST:FareZone:Z', name: 'Middle' }]);
    assert.equal(body.authorities.length, 1);
    const [first] = body.datedServiceJourneys;
    assert.deepEqual(first, {
      datedServiceJourneyId: 'TST:ServiceJourney:1-1@2026-11-23',
      serviceJourneyId: 'TST:ServiceJourney:1-1',
      lineId: 'TST:Line:1',
      mode: 'bus',
      seatReservation: 'COMPULSORY',
      calls: [
        { stopPlaceId: 'TST:StopPlace:A', departure: '2026-11-23T07:00:00.000Z' },
        { stopPlaceId: 'TST:StopPlace:B', arrival: '2026-11-23T07:10:00.000Z', departure: '2026-11-23T07:12:00.000Z' },
        { stopPlaceId: 'TST:StopPlace:C', arrival: '2026-11-23T07:20:00.000Z' },
      ],
    });
    assert.deepEqual([body.totalItems, body.totalPages], [4, 1]);
    const second = (await get('?travelDate=2026-11-23&page=2&perPage=2')).body;
    assert.deepEqual([second.page, second.perPage, second.totalPages], [2, 2, 2]);
    assert.deepEqual(
      second.datedServiceJourneys.map(({ lineId, seatReservation }: Record<string, string>) => [
        lineId,
        seatReservation,
      ]),
      [
        ['TST:Line:0', 'NONE'],
        ['TST:Line:2', 'NONE'],
      ],
    );
    assert.equal(second.fareProducts.length, 6);
    assert.deepEqual((await get('?travelDate=2026-11-23&page=9')).body.datedServiceJourneys, []);
    assert.deepEqual(
      [second.stopPlaces, second.fareZones, second.authorities],
      [[], [], []],
      'those of the first page',
    );
  });

  it('is left out without a day, and refused with an impossible page', async () => {
    const { body } = await get('');
    for (const member of ['stopPlaces', 'datedServiceJourneys', 'page']) assert.ok(!(member in body), member);
    assert.equal((await get('?travelDate=2026-11-23&perPage=101')).status, 400);
    assert.equal((await get('?travelDate=2026-11-23&page=0')).status, 400);
  });
});
