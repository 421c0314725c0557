/**
 * Imports, builds and opens the demo region. Checks its content and a night with a clock change, and compares its
 * public journeys with those of the filter.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after } from 'mocha';
import { importDatasets } from '../../../activities/timetable/planner-import/import-datasets.ts';
import type { DemoData } from '../../../dev/demo/generate.ts';
import { generateDemo } from '../../../dev/demo/generate.ts';
import { filterDataset } from '../../../netex/filter/index.ts';
import { StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import { type Archive, readEntry } from '../../../netex/zip/index.ts';
import type { ServiceJourneyInput } from '../../../planner/build/input.ts';
import {
  type BuildReport,
  createTimetableBuilder,
  openTimetable,
  type Timetable,
  type TimetableBuilder,
} from '../../../planner/index.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import { temporaryFolder } from '../../support/demo-dataset.ts';
import { openBytes } from '../../support/zip-samples.ts';
import { recordingBuilder } from './recorded-import.ts';

/** The clock goes back in the night to 25 October 2026. */
const DATE = '2026-10-24';
const day = (date: string): ServiceDay => (Date.parse(`${date}T00:00:00Z`) / 86_400_000) as ServiceDay;

interface Imported {
  readonly timetable: Timetable;
  readonly report: BuildReport;
  readonly archive: Archive;
  readonly register: Uint8Array;
  /** Times and days of each journey, by id. */
  readonly journeys: ReadonlyMap<string, string>;
}

const runningOf = ({ patternId, days }: ServiceJourneyInput): string => `${patternId} ${days.join(' ')}`;

let imported: Promise<Imported> | undefined;

const useImported = (): Promise<Imported> => {
  imported ??= importDemo();
  return imported;
};

async function importDemo(): Promise<Imported> {
  const data: DemoData = await generateDemo({ date: DATE, directory: temporaryFolder() });
  const stops = await openBytes(await readFile(data.stopRegister));
  const reader = new StopRegisterReader();
  for (const entry of stops.entries) reader.addFile(await readEntry(stops, entry));
  const register = reader.build().bytes;
  const archive = await openBytes(await readFile(data.timetable));
  const builder = createTimetableBuilder();
  const journeys = new Map<string, string>();
  const heard: TimetableBuilder = {
    ...builder,
    addServiceJourney(journey) {
      journeys.set(journey.id, runningOf(journey));
      builder.addServiceJourney(journey);
    },
  };
  await importDatasets({ datasets: [{ codespace: 'dem', archive }], register }, heard);
  const { bytes, report } = builder.finish({ builtAt: 0 });
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return { timetable: openTimetable(shared), report, archive, register, journeys };
}

after(() => {
  imported = undefined;
});

describe('the demo region in the planner', () => {
  it('contains the whole region, and rejects nothing', async () => {
    const { report } = await useImported();
    assert.deepEqual(report.rejected, []);
    const {
      lines = 0,
      quays = 0,
      stopPlaces = 0,
      serviceJourneys = 0,
      trips = 0,
      calls = 0,
      tariffZones = 0,
    } = report.counts;
    assert.equal(lines, 55, 'all but the one that is restricted');
    assert.deepEqual([quays, stopPlaces, tariffZones], [1889, 952, 26]);
    assert.ok(serviceJourneys > 5_000 && trips >= serviceJourneys && calls > 100_000);
    for (const kind of ['notices', 'datedServiceJourneys', 'interchanges', 'operators', 'groupsOfLines']) {
      assert.ok((report.counts[kind] ?? 0) > 0, kind);
    }
  });

  it('shows no pattern that only dead runs use, nor their depots', async () => {
    const { catalogue } = (await useImported()).timetable;
    for (let index = 0; index < catalogue.journeyPatterns.count; index++) {
      const { id } = catalogue.journeyPatterns.at(index as never);
      assert.ok(catalogue.journeysOfPattern(index as never).length > 0, id);
    }
    const line = catalogue.lines.find('DEM:Line:1');
    assert.ok(line && catalogue.patternsOfLine(line.index).length > 0);
  });

  it('departs at the published times before, after and in the night of a clock change', async () => {
    const { timetable } = await useImported();
    const { catalogue, transit } = timetable;
    const journey = catalogue.serviceJourneys.find('DEM:ServiceJourney:207-1-Daily-0635');
    assert.ok(journey);
    const [trip] = transit.tripsOfJourney(journey.index);
    assert.ok(trip !== undefined);
    const zone = transit.routeZone[transit.routeOf(trip)] ?? -1;
    assert.equal(transit.zones[zone], 'Europe/Oslo');
    const departsAt = (date: string): string =>
      new Date((transit.dayStart(zone, day(date)) + transit.departureAt(trip, 0)) * 1000).toISOString();
    assert.equal(departsAt('2026-10-24'), '2026-10-24T04:35:00.000Z');
    assert.equal(departsAt('2026-10-25'), '2026-10-25T05:35:00.000Z');
    const late = catalogue.serviceJourneys;
    let latest = 0;
    for (let index = 0; index < late.count; index++) {
      const [night] = transit.tripsOfJourney(late.at(index as typeof journey.index).index);
      if (night !== undefined) latest = Math.max(latest, transit.departureAt(night, 0));
    }
    assert.ok(latest > 86_400, 'some journey of the day before begins after midnight');
  });

  it('runs dated journeys on the days that are neither cancelled nor replaced', async () => {
    const { timetable } = await useImported();
    const { catalogue, transit } = timetable;
    let off = 0;
    for (let index = 0; index < catalogue.serviceJourneys.count; index++) {
      const journey = catalogue.serviceJourneys.at(index as never);
      const dated = catalogue.datedJourneysOf(journey.index);
      if (dated.length === 0) continue;
      const [trip] = transit.tripsOfJourney(journey.index);
      const runs = new Set(trip === undefined ? [] : transit.activeDays(trip));
      for (const datedIndex of dated) {
        const run = catalogue.datedServiceJourneys.at(datedIndex);
        const isOff = run.alteration === 'cancellation' || run.alteration === 'replaced';
        if (isOff) off++;
        assert.equal(runs.has(run.day), !isOff, run.id);
      }
    }
    assert.ok(off > 0);
  });

  it('has the same journeys, on the same days, as the public dataset that the filter makes', async () => {
    const { archive, register, journeys } = await useImported();
    const chunks: Uint8Array[] = [];
    await filterDataset({ archive, xmlns: 'DEM', day: DATE, mode: 'public' }, async (zip) => {
      for await (const chunk of zip) chunks.push(chunk);
    });
    const { builder, recorded } = recordingBuilder();
    const filtered = await openBytes(Buffer.concat(chunks));
    await importDatasets({ datasets: [{ codespace: 'dem', archive: filtered }], register }, builder);
    assert.ok(journeys.size > 5_000);
    assert.deepEqual(new Map(recorded.journeys.map((journey) => [journey.id, runningOf(journey)])), journeys);
  });
});
