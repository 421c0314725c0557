/** Runs the public client library of the older dialect, unmodified, against `/v2` over the demo region. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { SEVEN_TEXT, useDemoPlanner } from './demo-planner.ts';

const HUB = 'NSR:StopPlace:900004';
const SUBURB = 'NSR:StopPlace:900371';
const QUAY = 'NSR:Quay:900004';
const SEVEN = new Date(SEVEN_TEXT);

/** Allows every function, since the library has outdated types. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Client = Record<string, (...args: any[]) => Promise<any>>;

describe('@entur/sdk', () => {
  const demo = useDemoPlanner();
  let client: Client;

  before(() => {
    const { default: createClient } = createRequire(import.meta.url)('@entur/sdk') as {
      default: (config: unknown) => Client;
    };
    const hosts = { journeyPlanner: `${demo.planner.url}/journey-planner/v2` };
    client = createClient({ clientName: 'samferd-test', hosts });
  });

  const call = async (name: string, ...args: unknown[]) => {
    const answer = await client[name]?.(...args);
    assert.ok(answer, name);
    return answer;
  };

  it('getTripPatterns', async () => {
    const patterns = await call('getTripPatterns', {
      from: { place: HUB },
      to: { place: SUBURB },
      searchDate: SEVEN,
      limit: 4,
    });
    assert.equal(patterns.length, 4);
    for (const { legs, startTime } of patterns) {
      assert.ok(startTime >= SEVEN_TEXT);
      for (const leg of legs) assert.ok(leg.mode && leg.fromPlace.name && leg.expectedEndTime >= leg.expectedStartTime);
    }
    assert.ok(
      patterns.some(({ legs }: { legs: { line?: { publicCode: string } }[] }) => legs.some(({ line }) => line)),
    );
  });

  it('getTripPatterns between positions, arriving by', async () => {
    const [pattern] = await call('getTripPatterns', {
      from: { name: 'home', coordinates: { latitude: 64.7626, longitude: 11.045 } },
      to: { name: 'work', coordinates: { latitude: 64.7203, longitude: 11.05 } },
      searchDate: new Date('2026-11-23T08:00:00+01:00'),
      arriveBy: true,
      limit: 1,
      modes: ['foot', 'bus'],
    });
    assert.ok(pattern.endTime <= '2026-11-23T08:00:00+01:00');
    assert.equal(pattern.legs[0].fromPlace.name, 'home');
    assert.equal(pattern.legs.at(-1).toPlace.name, 'work');
  });

  it('getDeparturesFromStopPlaces', async () => {
    const answers = await call('getDeparturesFromStopPlaces', [HUB, SUBURB], { start: SEVEN, limit: 3 });
    assert.deepEqual(
      answers.map(({ id, departures }: { id: string; departures: unknown[] }) => [id, departures.length]),
      [
        [HUB, 3],
        [SUBURB, 3],
      ],
    );
  });

  it('getDeparturesFromQuays', async () => {
    const [{ id, departures }] = await call('getDeparturesFromQuays', [QUAY], { start: SEVEN, limit: 3 });
    assert.deepEqual([id, departures.length], [QUAY, 3]);
    assert.equal(departures[0].quay.id, QUAY);
  });

  it('getDeparturesBetweenStopPlaces', async () => {
    const departures = await call('getDeparturesBetweenStopPlaces', HUB, 'NSR:StopPlace:900012', {
      start: SEVEN,
      limit: 3,
    });
    assert.equal(departures.length, 3);
    for (const { aimedDepartureTime } of departures) assert.ok(aimedDepartureTime >= SEVEN_TEXT);
  });

  it('getDeparturesForServiceJourney', async () => {
    const departures = await call(
      'getDeparturesForServiceJourney',
      'DEM:ServiceJourney:1-2-Weekday-0640',
      '2026-11-23',
    );
    assert.ok(departures.length > 10);
  });

  it('getNearestPlaces', async () => {
    const places = await call('getNearestPlaces', { latitude: 64.72, longitude: 11.05 }, { maximumDistance: 300 });
    assert.ok(places.length > 1);
  });

  it('getStopPlace, getStopPlaces, getParentStopPlace, getQuaysForStopPlace, getStopPlacesByPosition', async () => {
    assert.equal((await call('getStopPlace', HUB)).name, 'Nordhamn sentralstasjon');
    assert.equal((await call('getStopPlaces', [HUB, SUBURB])).length, 2);
    assert.equal((await call('getParentStopPlace', 'NSR:StopPlace:900001')).id, HUB);
    assert.ok((await call('getQuaysForStopPlace', HUB)).length > 5);
    const near = await call('getStopPlacesByPosition', { latitude: 64.72, longitude: 11.05 }, 500);
    assert.ok(near.some(({ id }: { id: string }) => id === HUB));
  });
});
