/** The planner imports a converted feed completely: neither the import nor the builder refuses any of it. */
import assert from 'node:assert/strict';
import { importDatasets } from '../../activities/timetable/planner-import/import-datasets.ts';
import { convertFeed } from '../../gtfs-to-netex/convert.ts';
import { DEFAULT_ARCHIVE_LIMITS, openArchive, openFileRangeReader } from '../../netex/zip/index.ts';
import { type BuildReport, type BuiltSnapshot, createTimetableBuilder, openTimetable } from '../../planner/index.ts';
import type { ServiceJourneyIndex, TripIndex } from '../../planner/model/indices.ts';
import { FEATURE_FEEDS } from './feature-feeds.ts';
import { newPath, type Tables, writeFeed } from './small-feed.ts';

async function build(tables: Tables): Promise<BuiltSnapshot> {
  const dataset = newPath('planned.zip');
  await convertFeed({ feed: await writeFeed(tables), dataset, codespace: 'twn' });
  const reader = await openFileRangeReader(dataset);
  try {
    const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
    const builder = createTimetableBuilder();
    await importDatasets({ datasets: [{ codespace: 'twn', archive }] }, builder);
    return builder.finish({ builtAt: 0 });
  } finally {
    await reader.close();
  }
}

async function planned(tables: Tables): Promise<BuildReport> {
  return (await build(tables)).report;
}

describe('the planner', () => {
  for (const [name, tables] of Object.entries(FEATURE_FEEDS)) {
    it(`imports a converted feed completely: ${name}`, async () => {
      const { counts, rejected } = await planned(tables);
      assert.deepEqual(rejected, []);
      assert.ok((counts.trips ?? 0) > 0);
    });
  }

  it('imports interchanges, stations and departures by frequency', async () => {
    assert.equal((await planned(FEATURE_FEEDS.following)).counts.interchanges, 2);
    assert.equal((await planned(FEATURE_FEEDS.frequencies)).counts.trips, 6);
    const { counts } = await planned(FEATURE_FEEDS.stations);
    assert.equal(counts.stopPlaces, 5, 'the parent, its two, and two that stand alone');
    assert.equal(counts.quays, 5);
  });

  it('shows trips at the times of the feed, which count from noon less twelve hours, also when the clock changes', async () => {
    const { catalogue, transit } = openTimetable((await build(FEATURE_FEEDS.clockChanges)).bytes.slice().buffer);
    const shown: string[] = [];
    for (let trip = 0 as TripIndex; trip < transit.tripCount; trip = (trip + 1) as TripIndex) {
      const { id } = catalogue.serviceJourneys.at(transit.tripJourney[trip] as ServiceJourneyIndex);
      const name = id.split(':')[2]?.replace(/-(later|earlier)$/, '');
      for (const day of transit.activeDays(trip))
        shown.push(`${name} ${instant(transit.runStart(trip, day) + transit.departureAt(trip, 0))}`);
    }
    const starts = ['2026-10-31T04:00Z', '2026-11-01T05:00Z', '2027-03-13T05:00Z', '2027-03-14T04:00Z'];
    const trips = { T0030: 0.5, T0230: 2.5, T0330: 3.5, T2530: 25.5, T2730: 27.5, 'F-030000': 3, 'F-040000': 4 };
    const expected = Object.entries(trips).flatMap(([name, hours]) =>
      starts.map((start) => `${name} ${instant(Date.parse(start) / 1000 + 3600 * hours)}`),
    );
    expected.push(`T0015 ${instant(Date.parse('2026-11-01T05:15Z') / 1000)}`);
    assert.deepEqual(shown.sort(), expected.sort());
  });
});

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16);
}
