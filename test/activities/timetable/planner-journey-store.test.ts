/** The rows of a frequency journey must fit a document of a real database, however often it departs. */
import assert from 'node:assert/strict';
import { PlannerJourneyStore } from '../../../activities/timetable/planner-journey-store.ts';
import { createNetwork, serviceDays } from '../../planner/support/network.ts';
import { openStores, type Stores } from './support.ts';

describe('Journeys of planner snapshots', () => {
  let stores: Stores;
  let journeys: PlannerJourneyStore;

  before(async () => {
    stores = await openStores();
    journeys = new PlannerJourneyStore(stores.connection);
    await journeys.ensureIndexes();
  });
  after(() => stores?.connection.close());

  it('store a journey that departs every half a minute on every other day of several years', async () => {
    const network = createNetwork();
    const names = Array.from({ length: 40 }, (_, at) => `S${at}`);
    network.stops(...names.map((name, at) => `${name} ${(59 + at / 100).toFixed(2)} 10.7`));
    const days = serviceDays('2026-01-01', '2030-12-31').filter((day) => day % 2 === 0);
    const startOffsets = Array.from({ length: 2_880 }, (_, at) => at * 30);
    network.line('1', [names.map((name) => `${name} 00:00`).join(' - ')], { journey: { days, startOffsets } });
    const timetable = network.open();
    await journeys.add(timetable, new AbortController().signal);
    const row = await journeys.findJourney(timetable.snapshotId, 'TST:ServiceJourney:1-1');
    assert.deepEqual([row?.trips.length, row?.days.length], [2_880, days.length * 2]);
    assert.equal(row?.trips[1]?.departures[39], 30);
  });
});
