/** Reads small networks through their stored rows: runs, cancellations, clock changes, connections, newer snapshots. */
import assert from 'node:assert/strict';
import { UntrustedPointerError } from '../../../../activities/shared/planner-snapshot.ts';
import { findRideCalls, parentsOf, placeIdsOf } from '../../../../activities/shared/timetable.ts';
import { SnapshotRows } from '../../../../activities/timetable/reader/snapshot-rows.ts';
import type { ServiceError } from '../../../../workflows/shared/service-error.ts';
import { createNetwork, type Network, serviceDay } from '../../../planner/support/network.ts';
import { FOREIGN_KEYS } from '../../../support/planner-keys.ts';
import { openStores, type Stores } from '../support.ts';
import { PublishedRows } from './support.ts';

const PLACES = { fromStopPlaceId: 'TST:StopPlace:A', toStopPlaceId: 'TST:StopPlace:C' };
const J = (name: string) => `TST:ServiceJourney:${name}`;

/** A–C by bus, with a station of two places above A, and zones on a quay, a place and a parent. */
function streets(network: Network): Network {
  for (const zone of ['Z1', 'Z2', 'Z3']) network.builder.addTariffZone({ id: `TST:FareZone:${zone}`, name: zone });
  const zones = (...names: string[]) => ({ tariffZoneIds: names.map((name) => `TST:FareZone:${name}`) });
  network.builder.addStopPlace({
    id: 'TST:StopPlace:Station',
    name: 'Station',
    modes: [],
    submodes: [],
    ...zones('Z1'),
  });
  network.stopPlace('A', ['A1 59.900 10.700'], { parentId: 'TST:StopPlace:Station' });
  network.stopPlace('Tram', ['T1 59.900 10.701'], { parentId: 'TST:StopPlace:Station' });
  network.stopPlace('B', ['B1 59.910 10.702'], zones('Z2'));
  network.stopPlace('C', []);
  network.quay('C1 59.930 10.700', { stopPlaceId: 'TST:StopPlace:C', ...zones('Z3') });
  return network.stops('Free 59.940 10.700');
}

describe('The timetable reader', () => {
  let stores: Stores;
  let rows: PublishedRows;
  beforeEach(async () => {
    stores = await openStores();
    rows = new PublishedRows(stores.connection);
  });
  afterEach(() => stores?.connection.close());

  const published = async (network: Network) => {
    await rows.publish(network.open());
    return rows.reader;
  };
  const leg = (departure: string, more: object = {}) => ({ ...PLACES, departure: new Date(departure), ...more });

  it('finds nothing before the first snapshot, and trusts no pointer that it cannot verify', async () => {
    assert.equal(await rows.reader.findDatedJourney(`${J('1-1')}@2026-11-23`), undefined);
    assert.deepEqual(await rows.reader.listStopPlaces(), []);
    assert.deepEqual(await rows.reader.listDatedJourneys('2026-11-23', 1, 10), { items: [], totalItems: 0 });
    await rows.publish(streets(createNetwork()).open(), FOREIGN_KEYS);
    rows.letPointerBeReadAgain();
    await assert.rejects(rows.reader.listStopPlaces(), UntrustedPointerError);
  });

  it('describes a journey on its day, with places, zones, distances and times', async () => {
    const network = streets(createNetwork()).line('1', ['A1+ 08:00 - B1 08:10/08:12 - C1~ 08:20'], {
      line: { name: 'The line' },
      journey: { privateCode: '4711', mode: 'rail' },
    });
    const journey = await (await published(network)).findJourney(
      leg('2026-11-24T07:03:00Z', { serviceJourneyId: J('1-1') }),
    );
    assert.ok(journey);
    const { calls, ...facts } = journey;
    assert.deepEqual(facts, {
      datedServiceJourneyId: `${J('1-1')}@2026-11-24`,
      serviceJourneyId: J('1-1'),
      privateCode: '4711',
      serviceDay: '2026-11-24',
      isCancelled: false,
      lineId: 'TST:Line:1',
      lineName: 'The line',
      linePublicCode: '1',
      mode: 'rail',
      authorityId: 'TST:Authority:TST',
    });
    assert.deepEqual(calls[0], {
      position: 0,
      quayId: 'TST:Quay:A1',
      stopPlaceId: 'TST:StopPlace:A',
      parentStopPlaceId: 'TST:StopPlace:Station',
      stopName: 'A',
      departure: new Date('2026-11-24T07:00:00Z'),
      forBoarding: true,
      forAlighting: false,
      // Neither the quay nor its stop place has a zone, so that of the station counts.
      zoneIds: ['TST:FareZone:Z1'],
      distanceMetres: 0,
    });
    assert.deepEqual(
      calls.map(({ arrival, departure, zoneIds, forBoarding, forAlighting }) => [
        arrival?.toISOString().slice(11, 16),
        departure?.toISOString().slice(11, 16),
        zoneIds.map((id) => id.slice(-2)).join(),
        forBoarding,
        forAlighting,
      ]),
      [
        [undefined, '07:00', 'Z1', true, false],
        ['07:10', '07:12', 'Z2', true, true],
        ['07:20', undefined, 'Z3', false, true],
      ],
    );
    // A tenth of a degree of latitude is 11.1 km.
    const [, middle, last] = calls.map(({ distanceMetres }) => distanceMetres);
    assert.ok(Math.abs((middle ?? 0) - 1_112) < 10 && Math.abs((last ?? 0) - 3_336) < 20, `${middle} ${last}`);
    assert.deepEqual(await rows.reader.findDatedJourney(journey.datedServiceJourneyId), journey);
  });

  it('accepts a place or its parent, in the order of the journey only', async () => {
    const reader = await published(streets(createNetwork()).line('1', ['A1 08:00 - B1 08:10 - C1 08:20']));
    const find = async (fromStopPlaceId: string, toStopPlaceId: string) => {
      const wanted = { fromStopPlaceId, toStopPlaceId, departure: new Date('2026-11-23T07:00:00Z') };
      const found = await reader.findJourney({ ...wanted, serviceJourneyId: J('1-1') });
      const ride = found && findRideCalls(found, wanted);
      assert.equal(found === undefined, ride === undefined, 'both agree');
      // As sold legs keep them.
      if (ride) {
        assert.deepEqual(placeIdsOf(ride.from), ['TST:StopPlace:A', 'TST:StopPlace:Station']);
        assert.deepEqual(parentsOf(ride), { fromParentStopPlaceId: 'TST:StopPlace:Station' });
      }
      return ride && [ride.from.position, ride.to.position];
    };
    assert.deepEqual(await find('TST:StopPlace:Station', 'TST:StopPlace:C'), [0, 2]);
    assert.deepEqual(await find('TST:StopPlace:A', 'TST:StopPlace:B'), [0, 1]);
    assert.equal(await find('TST:StopPlace:C', 'TST:StopPlace:A'), undefined);
    assert.equal(await find('TST:StopPlace:Tram', 'TST:StopPlace:C'), undefined);
    assert.equal(await find('TST:StopPlace:Unknown', 'TST:StopPlace:C'), undefined);
  });

  it('refuses a ride that begins or ends where that is not allowed', async () => {
    const reader = await published(streets(createNetwork()).line('1', ['A1~ 08:00 - B1 08:10 - C1+ 08:20']));
    assert.equal(await reader.findJourney(leg('2026-11-23T07:00:00Z', { serviceJourneyId: J('1-1') })), undefined);
    assert.deepEqual(await reader.findConnections(PLACES.fromStopPlaceId, PLACES.toStopPlaceId), []);
  });

  it('chooses the run closest to an expected departure, within 12 hours, also past midnight', async () => {
    const network = streets(createNetwork()).line('1', ['A1 23:50 - C1 24:20'], { days: ['2026-11-23', '2026-11-25'] });
    const reader = await published(network);
    const dayOf = async (departure: string) =>
      (await reader.findJourney(leg(departure, { serviceJourneyId: J('1-1') })))?.serviceDay;
    assert.equal(await dayOf('2026-11-24T01:30:00+01:00'), '2026-11-23');
    assert.equal(await dayOf('2026-11-24T11:49:00+01:00'), '2026-11-23');
    assert.equal(await dayOf('2026-11-24T11:51:00+01:00'), undefined);
    assert.equal(await dayOf('2026-11-25T23:00:00+01:00'), '2026-11-25');
    assert.equal(await dayOf('2026-11-30T23:50:00+01:00'), undefined);
  });

  it('has journeys leave by the clock when it changes', async () => {
    const options = { from: '2026-10-24', to: '2026-10-26' };
    const reader = await published(
      streets(createNetwork(options)).line('1', ['A1 08:00 - C1 08:20', 'A1 00:30 - C1 01:00']),
    );
    const departureOf = async (name: string, day: string) =>
      (await reader.findDatedJourney(`${J(name)}@${day}`))?.calls[0]?.departure?.toISOString();
    assert.equal(await departureOf('1-1', '2026-10-24'), '2026-10-24T06:00:00.000Z');
    assert.equal(await departureOf('1-1', '2026-10-25'), '2026-10-25T07:00:00.000Z');
    // Still summer time.
    assert.equal(await departureOf('1-2', '2026-10-25'), '2026-10-24T22:30:00.000Z');
  });

  it('knows published dated journeys, and marks the cancelled and replaced ones', async () => {
    const network = streets(createNetwork()).line('1', ['A1 08:00 - C1 08:20'], { days: ['2026-11-23', '2026-11-24'] });
    const dated = (id: string, day: string, alteration?: 'cancellation' | 'replaced') =>
      network.builder.addDatedServiceJourney({ id, journeyId: J('1-1'), day: serviceDay(day), alteration });
    dated('TST:Dated:1', '2026-11-23');
    dated('TST:Dated:2', '2026-11-25', 'cancellation');
    dated('TST:Dated:3', '2026-11-26', 'replaced');
    const reader = await published(network);
    const show = async (id: string) => {
      const found = await reader.findDatedJourney(id);
      return found && [found.datedServiceJourneyId, found.serviceDay, found.isCancelled];
    };
    assert.deepEqual(await show('TST:Dated:1'), ['TST:Dated:1', '2026-11-23', false]);
    assert.deepEqual(await show('TST:Dated:2'), ['TST:Dated:2', '2026-11-25', true]);
    assert.deepEqual(await show('TST:Dated:3'), ['TST:Dated:3', '2026-11-26', true]);
    assert.equal(await show('TST:Dated:4'), undefined);
    // Our own id still finds a day that has a published one by now.
    assert.deepEqual(await show(`${J('1-1')}@2026-11-23`), ['TST:Dated:1', '2026-11-23', false]);
    assert.deepEqual(await show(`${J('1-1')}@2026-11-24`), [`${J('1-1')}@2026-11-24`, '2026-11-24', false]);
    assert.equal(await show(`${J('1-1')}@2026-11-27`), undefined);
    assert.equal(await show(`${J('1-1')}@2026-13-45`), undefined);

    const find = (departure: string, more: object) => reader.findJourney(leg(departure, more));
    const byDated = await find('2026-11-23T07:30:00Z', { datedServiceJourneyId: 'TST:Dated:1' });
    assert.equal(byDated?.serviceJourneyId, J('1-1'));
    assert.equal((await find('2026-11-25T07:00:00Z', { serviceJourneyId: J('1-1') }))?.isCancelled, true);
    // The id and the departure are of different days, or of different journeys.
    assert.equal(await find('2026-11-24T07:00:00Z', { datedServiceJourneyId: 'TST:Dated:1' }), undefined);
    const other = { datedServiceJourneyId: 'TST:Dated:1', serviceJourneyId: J('9') };
    assert.equal(await find('2026-11-23T07:00:00Z', other), undefined);
    assert.equal((await reader.listDatedJourneys('2026-11-25', 1, 10)).totalItems, 0);
  });

  it('names each departure of a frequency journey', async () => {
    const startOffsets = [0, 600, 1_200];
    const reader = await published(
      streets(createNetwork()).line('1', ['A1 08:00 - C1 08:20'], { journey: { startOffsets } }),
    );
    const found = await reader.findJourney(leg('2026-11-23T07:11:00Z', { serviceJourneyId: J('1-1') }));
    assert.equal(found?.datedServiceJourneyId, `${J('1-1')}@2026-11-23@29400`);
    assert.equal(found?.calls[0]?.departure?.toISOString(), '2026-11-23T07:10:00.000Z');
    assert.deepEqual(await reader.findDatedJourney(`${J('1-1')}@2026-11-23@29400`), found);
    assert.equal(await reader.findDatedJourney(`${J('1-1')}@2026-11-23@29401`), undefined);
    const { items, totalItems } = await reader.listDatedJourneys('2026-11-23', 1, 2);
    assert.deepEqual([items.length, totalItems], [2, 3]);
  });

  it('lists the journeys of a day by line and first departure, in pages', async () => {
    const network = streets(createNetwork())
      .line('2', ['A1 09:00 - C1 09:20', 'A1 07:00 - C1 07:20'])
      .line('1', ['A1 10:00 - C1 10:20', 'A1 08:00 - C1 08:20'], { days: ['2026-11-24'] });
    const reader = await published(network);
    const page = async (day: string, number: number, perPage: number) => {
      const { items, totalItems } = await reader.listDatedJourneys(day, number, perPage);
      return [items.map(({ serviceJourneyId }) => serviceJourneyId.slice(-3)).join(' '), totalItems];
    };
    assert.deepEqual(await page('2026-11-24', 1, 10), ['1-2 1-1 2-2 2-1', 4]);
    assert.deepEqual(await page('2026-11-24', 2, 3), ['2-1', 4]);
    assert.deepEqual(await page('2026-11-23', 1, 10), ['2-2 2-1', 2]);
    assert.deepEqual(await page('2026-12-24', 1, 10), ['', 0]);
    assert.deepEqual(await page('soon', 1, 10), ['', 0]);
  });

  it('finds the lines between two places, each by its shortest ride', async () => {
    const network = streets(createNetwork())
      .line('1', ['A1 08:00 - B1 08:10 - C1 08:20', 'A1 09:00 - C1 09:10', 'C1 09:00 - A1 09:10'])
      .line('2', ['T1 09:00 - C1 09:10']);
    const reader = await published(network);
    const found = await reader.findConnections('TST:StopPlace:Station', 'TST:StopPlace:C');
    assert.deepEqual(
      found.map(({ lineId, mode, authorityId, zoneIds }) => [lineId, mode, authorityId, zoneIds.join()]),
      [
        ['TST:Line:1', 'bus', 'TST:Authority:TST', 'TST:FareZone:Z1,TST:FareZone:Z3'],
        ['TST:Line:2', 'bus', 'TST:Authority:TST', 'TST:FareZone:Z1,TST:FareZone:Z3'],
      ],
    );
    assert.equal((await reader.findConnections('TST:StopPlace:A', 'TST:StopPlace:C')).length, 1);
    assert.deepEqual(await reader.findConnections('TST:StopPlace:B', 'TST:StopPlace:A'), []);
  });

  it('lists places with the zones below them, zones and authorities', async () => {
    const reader = await published(streets(createNetwork()).line('1', ['A1 08:00 - C1 08:20']));
    const places = new Map((await reader.listStopPlaces()).map((place) => [place.id, place]));
    assert.deepEqual(places.get('TST:StopPlace:C')?.zoneIds, ['TST:FareZone:Z3']);
    assert.equal(places.get('TST:Quay:Free')?.name, 'Free', 'a quay without a stop place stands for one');
    assert.ok(!places.has('TST:Quay:A1'));
    const asked = ['TST:StopPlace:C', 'TST:StopPlace:None', 'TST:StopPlace:A'];
    assert.deepEqual(
      (await reader.findStopPlaces(asked)).map(({ id }) => id),
      ['TST:StopPlace:C', 'TST:StopPlace:A'],
    );
    assert.deepEqual(
      (await reader.listFareZones()).map(({ name }) => name),
      ['Z1', 'Z2', 'Z3'],
    );
    assert.deepEqual(await reader.listAuthorities(), [{ id: 'TST:Authority:TST', name: 'TST' }]);
    assert.ok((await reader.listLineIds()).includes('TST:Line:1'));
    assert.deepEqual(await reader.listServiceJourneyIds([J('1-1'), 'TST:ServiceJourney:None']), [J('1-1')]);
    assert.deepEqual(await reader.listServiceJourneyIds([]), []);
  });

  it('begins the journeys of a day with the wanted ones, in every page', async () => {
    const network = streets(createNetwork()).line('1', ['A1 08:00 - C1 08:20']);
    network.line('2', ['A1 06:00 - C1 06:20', 'A1 07:00 - C1 07:20']).line('3', ['A1 05:00 - C1 05:20']);
    const reader = await published(network);
    const first = {
      lineIds: new Set(['TST:Line:3']),
      serviceJourneyIds: new Set([J('2-2')]),
      datedServiceJourneyIds: new Set<string>(),
    };
    const names = async (page: number) =>
      (await reader.listDatedJourneys('2026-11-23', page, 3, first)).items.map(
        ({ serviceJourneyId }) => serviceJourneyId,
      );
    assert.deepEqual([await names(1), await names(2)], [[J('2-2'), J('3-1'), J('1-1')], [J('2-1')]]);
  });

  it('begins with the wanted dated journeys on their day alone', async () => {
    const network = streets(createNetwork()).line('1', ['A1 06:00 - C1 06:20', 'A1 07:00 - C1 07:20']);
    network.line('2', ['A1 08:00 - C1 08:20']);
    const ofLast = { journeyId: J('2-1'), day: serviceDay('2026-11-25') };
    network.builder.addDatedServiceJourney({ id: 'TST:Dated:1', ...ofLast });
    const reader = await published(network);
    const dated = new Set(['TST:Dated:1', `${J('2-1')}@2026-11-23`, `${J('1-2')}@2026-11-24`]);
    const first = { lineIds: new Set<string>(), serviceJourneyIds: new Set<string>(), datedServiceJourneyIds: dated };
    const firstOn = async (day: string) =>
      (await reader.listDatedJourneys(day, 1, 3, first)).items.map(({ serviceJourneyId }) => serviceJourneyId);
    assert.deepEqual(await firstOn('2026-11-23'), [J('2-1'), J('1-1'), J('1-2')]);
    assert.deepEqual(await firstOn('2026-11-24'), [J('1-2'), J('1-1'), J('2-1')]);
    assert.deepEqual(await firstOn('2026-11-25'), [J('2-1'), J('1-1'), J('1-2')]);
  });

  it('reads one day at a time, lets a few wait, and refuses further days for now', async () => {
    const network = streets(createNetwork()).line('1', ['A1 08:00 - C1 08:20']);
    await published(network);
    const snapshot = new SnapshotRows(stores.connection, network.open().snapshotId);
    const today = 20_780;
    const days = Array.from({ length: 30 }, (_, at) => today + at);
    const answers = await Promise.allSettled([...days, today].map(async (day) => await snapshot.listDay(day)));
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as ServiceError] : []));
    assert.equal(refused.length, 21);
    assert.deepEqual([refused[0]?.code, refused[0]?.headers], ['UNAVAILABLE', { 'retry-after': '2' }]);
    assert.equal(answers.at(-1)?.status, 'fulfilled');
    await snapshot.listDay(today + 29);
  });

  it('leaves out tariff zones where there are fare zones beside them', async () => {
    const network = createNetwork();
    for (const id of ['TST:TariffZone:1', 'TST:FareZone:1']) network.builder.addTariffZone({ id, name: id });
    network.stopPlace('A', ['A1 59.900 10.700'], { tariffZoneIds: ['TST:TariffZone:1', 'TST:FareZone:1'] });
    network.stopPlace('B', ['B1 59.910 10.702'], { tariffZoneIds: ['TST:TariffZone:1'] });
    const reader = await published(network.line('1', ['A1 08:00 - B1 08:10']));
    assert.deepEqual(
      (await reader.listFareZones()).map(({ id }) => id),
      ['TST:FareZone:1'],
    );
    assert.deepEqual(
      (await reader.listStopPlaces()).map(({ zoneIds }) => zoneIds),
      [['TST:FareZone:1'], ['TST:TariffZone:1']],
    );
  });

  it('follows the pointer, and looks again when rows are missing', async () => {
    const older = streets(createNetwork()).line('1', ['A1 08:00 - C1 08:20']);
    const reader = await published(older);
    const id = `${J('1-1')}@2026-11-23`;
    assert.equal((await reader.findDatedJourney(id))?.calls[0]?.departure?.toISOString(), '2026-11-23T07:00:00.000Z');
    await rows.publish(streets(createNetwork()).line('1', ['A1 08:05 - C1 08:20']).open());
    assert.equal((await reader.findDatedJourney(id))?.calls[0]?.departure?.toISOString(), '2026-11-23T07:00:00.000Z');
    // The process has slept: it knows the older pointer, whose rows are gone, in part from its memory too.
    await rows.store.remove(older.open().snapshotId);
    assert.equal((await reader.listDatedJourneys('2026-11-24', 1, 5)).totalItems, 1);
    assert.equal((await reader.findDatedJourney(id))?.calls[0]?.departure?.toISOString(), '2026-11-23T07:05:00.000Z');
  });
});
