/** The planner imports a converted feed completely: neither the import nor the builder refuses any of it. */
import assert from 'node:assert/strict';
import { importDatasets } from '../../activities/timetable/planner-import/import-datasets.ts';
import { convertFeed } from '../../gtfs-to-netex/convert.ts';
import { DEFAULT_ARCHIVE_LIMITS, openArchive, openFileRangeReader } from '../../netex/zip/index.ts';
import { type BuildReport, createTimetableBuilder } from '../../planner/index.ts';
import { FEATURE_FEEDS } from './feature-feeds.ts';
import { newPath, type Tables, writeFeed } from './small-feed.ts';

async function planned(tables: Tables): Promise<BuildReport> {
  const dataset = newPath('planned.zip');
  await convertFeed({ feed: await writeFeed(tables), dataset, codespace: 'twn' });
  const reader = await openFileRangeReader(dataset);
  try {
    const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
    const builder = createTimetableBuilder();
    await importDatasets({ datasets: [{ codespace: 'twn', archive }] }, builder);
    return builder.finish({ builtAt: 0 }).report;
  } finally {
    await reader.close();
  }
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
});
