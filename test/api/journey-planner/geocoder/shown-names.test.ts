/** The geocoder must find every name that boards and legs show: of multimodal places, of their parts, and of quays. */
import assert from 'node:assert/strict';
import { createTimetableBuilder, openTimetable, type Timetable } from '../../../../planner/index.ts';
import type { StopIndex } from '../../../../planner/model/indices.ts';
import { SEVEN_TEXT, useDemoPlanner } from '../demo-planner.ts';
import { type PlannerProcess, startPlanner } from '../graphql/planner-process.ts';

interface Found {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly distance?: number;
}

async function sendQuery({ url }: PlannerProcess, path: string): Promise<readonly Found[]> {
  const response = await fetch(`${url}/geocoder/v1/${path}`);
  assert.equal(response.status, 200, path);
  const { features } = (await response.json()) as { features: readonly { readonly properties: Found }[] };
  return features.map(({ properties }) => properties);
}

const NORTH = { latitude: 59.9, longitude: 10.7 };
const SOUTH = { latitude: 59.898, longitude: 10.7 };
const AREA = { latitude: 59.85, longitude: 10.5 };

/** A terminal of buses, trams and ships. Its two tram stops share a name, and two of its berths share another. */
function openTerminal(): Timetable {
  const builder = createTimetableBuilder();
  builder.addAuthority({ id: 'A:Authority:1', name: 'A', timeZone: 'Europe/Oslo' });
  const place = (number: number, name: string, position = NORTH, parentId?: string) =>
    builder.addStopPlace({
      id: `NSR:StopPlace:${number}`,
      name,
      locality: 'Oslo',
      modes: ['bus'],
      submodes: [],
      ...position,
      ...(parentId === undefined ? {} : { parentId }),
    });
  place(1, 'Byterminalen');
  place(2, 'Byterminalen', NORTH, 'NSR:StopPlace:1');
  place(3, 'Byterminalen trikk', NORTH, 'NSR:StopPlace:1');
  place(4, 'Byterminalen trikk', SOUTH, 'NSR:StopPlace:1');
  place(5, 'Sjøsiden', SOUTH, 'NSR:StopPlace:1');
  place(6, 'Torget', AREA);
  const quay = (number: number, placeNumber: number, name?: string) =>
    builder.addQuay({
      id: `NSR:Quay:${number}`,
      stopPlaceId: `NSR:StopPlace:${placeNumber}`,
      ...(placeNumber >= 4 ? SOUTH : NORTH),
      ...(name === undefined ? {} : { name }),
    });
  quay(2, 2);
  quay(3, 3, 'Byterminalen trikk');
  quay(4, 4);
  quay(50, 5, 'Sjøsiden');
  quay(51, 5, 'Fergebrygga');
  quay(52, 5, 'Fergebrygga');
  builder.addQuay({ id: 'NSR:Quay:6', stopPlaceId: 'NSR:StopPlace:6', ...AREA });
  builder.addQuay({ id: 'A:FlexibleStopPlace:7', name: 'Bestillingsområdet', ...AREA });
  const { bytes } = builder.finish({ builtAt: 0, footpathMetres: 1 });
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return openTimetable(shared);
}

describe('Geocoder: names that are shown', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTerminal());
  });
  after(() => town.close());

  const found = (text: string) => sendQuery(town, `autocomplete?text=${encodeURIComponent(text)}`);
  const namesOf = (places: readonly Found[]) => places.map(({ name }) => name);

  it('of a part are found with its own id and town', async () => {
    const [first] = await found('sjøsiden');
    assert.deepEqual([first?.id, first?.name, first?.label], ['NSR:StopPlace:5', 'Sjøsiden', 'Sjøsiden, Oslo']);
  });

  it('are found once each, the best match first', async () => {
    assert.deepEqual(namesOf(await found('byterminalen')), ['Byterminalen', 'Byterminalen trikk']);
    assert.deepEqual(
      (await found('byterminalen')).map(({ id }) => id),
      ['NSR:StopPlace:1', 'NSR:StopPlace:3'],
    );
    assert.deepEqual(namesOf(await found('byterminalen trikk')), ['Byterminalen trikk']);
  });

  it('of quays are found when they differ from those of their places', async () => {
    const [quay, ...others] = await found('fergebrygga');
    assert.deepEqual([quay?.id, quay?.name, others], ['NSR:Quay:51', 'Fergebrygga', []]);
    assert.equal(quay?.label, 'Fergebrygga, Oslo');
    assert.deepEqual(namesOf(await found('bestilling')), ['Bestillingsområdet']);
  });

  it('are found by position too, once each and nearest first', async () => {
    const around = ({ latitude, longitude }: typeof NORTH, more = '') =>
      sendQuery(town, `reverse?point.lat=${latitude}&point.lon=${longitude}${more}`);
    assert.deepEqual(namesOf(await around(NORTH)), ['Byterminalen', 'Byterminalen trikk', 'Sjøsiden', 'Fergebrygga']);
    const south = await around(SOUTH);
    assert.deepEqual(new Set(namesOf(south)), new Set(namesOf(await around(NORTH))));
    assert.deepEqual(
      south.map(({ distance }) => distance),
      [0, 0, 0, 0],
    );
    assert.deepEqual(namesOf(await around(NORTH, '&boundary.circle.radius=0.1')), [
      'Byterminalen',
      'Byterminalen trikk',
    ]);
    assert.equal((await around(SOUTH, '&size=2')).length, 2);
    assert.deepEqual(namesOf(await around(AREA)), ['Torget', 'Bestillingsområdet']);
  });
});

describe('Geocoder: names shown in the demo region', () => {
  const demo = useDemoPlanner();

  it('are all found, as first result', async () => {
    const { quays, patternsOfStop } = demo.planner.timetable.catalogue;
    const names = new Set<string>();
    for (let stop = 0 as StopIndex; stop < quays.count; stop++) {
      if (patternsOfStop(stop).length > 0) names.add(quays.at(stop).name);
    }
    assert.ok(names.has('Nordhamn bussterminal') && names.size > 100);
    const missed: string[] = [];
    for (const name of names) {
      const [first] = await sendQuery(demo.planner, `autocomplete?text=${encodeURIComponent(name)}&size=3`);
      if (first?.name !== name) missed.push(`${name}: ${first?.name}`);
    }
    assert.deepEqual(missed, []);
  });

  it('are valid origins of a trip', async () => {
    const [from] = await sendQuery(demo.planner, 'autocomplete?text=nordhamn%20bussterminal&size=1');
    const ends = `from: { place: "${from?.id}" } to: { place: "NSR:StopPlace:900371" }`;
    const query = `{ trip(${ends} dateTime: "${SEVEN_TEXT}") { tripPatterns { legs { fromPlace { name } } } routingErrors { code } } }`;
    const { trip } = await demo.planner.data('v3', query);
    assert.deepEqual(trip.routingErrors, []);
    assert.equal(trip.tripPatterns[0].legs[0].fromPlace.name, 'Nordhamn bussterminal');
  });
});
