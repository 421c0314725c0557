/**
 * Converts a GTFS feed into a NeTEx dataset of the Nordic profile. Stops go into the same zip or into a second one.
 * The same feed and options give the same bytes. Callers: main.ts, tests, benchmarks.
 */
import { type ArchiveEntryText, writeArchive } from '../netex/writing/archive.ts';
import { type Change, ChangeLog } from './feed/change-log.ts';
import { openFeed } from './feed/feed-archive.ts';
import { FeedError } from './feed/feed-error.ts';
import { readFeed } from './feed/read-feed.ts';
import type { Progress } from './feed/table.ts';
import { isoDay } from './feed/values.ts';
import { buildTimetable } from './timetable/build-timetable.ts';
import { type ExampleRide, findExampleRide } from './timetable/example-ride.ts';
import type { Interpolation } from './timetable/mend-times.ts';
import type { Period } from './timetable/service-days.ts';
import type { Timetable } from './timetable/timetable.ts';
import { lineFileName, lineXml } from './xml/line-xml.ts';
import { NetexNames } from './xml/netex-names.ts';
import { sharedDataXml } from './xml/shared-data-xml.ts';
import { datasetStopsXml, stopRegisterXml } from './xml/stops-xml.ts';

export interface ConvertOptions {
  /** Path of a zip file. */
  readonly feed: string;
  readonly dataset: string;
  /** Three letters. */
  readonly codespace: string;
  /** Path of a second zip file for the stops; without it, the dataset holds them. */
  readonly register?: string | undefined;
  /** Days since 1970-01-01; the whole feed when absent. */
  readonly period?: Partial<Period>;
  readonly interpolation?: Interpolation;
  /** Receives progress, one line at a time. */
  readonly onProgress?: Progress;
  readonly signal?: AbortSignal;
}

export interface Conversion {
  readonly counts: Readonly<Record<string, number>>;
  /** `2026-11-21`. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly changes: readonly Change[];
  /** Finds a ride to ask the planner for; `today` in days since 1970-01-01. */
  findExample(today: number): ExampleRide | undefined;
}

/** An upload takes at most 10,000 files. */
const MOST_LINES = 9_990;

export async function convertFeed(options: ConvertOptions): Promise<Conversion> {
  const { onProgress = () => {} } = options;
  const changes = new ChangeLog();
  const timetable = await readTimetable(options, changes, onProgress);
  const names = new NetexNames(options.codespace.toUpperCase());
  const date = isoDay(timetable.firstDay);
  onProgress(`writing ${timetable.lines.length} lines`);
  if (options.register !== undefined) {
    const stops = [{ name: '_stops.xml', text: () => stopRegisterXml(timetable, names) }];
    await writeArchive(options.register, stops, date, options.signal);
  }
  const entries = datasetEntries(timetable, names, options.register === undefined, changes);
  await writeArchive(options.dataset, entries, date, options.signal);
  return {
    counts: countsOf(timetable),
    firstDay: date,
    lastDay: isoDay(timetable.lastDay),
    changes: changes.list(),
    findExample: (today) => findExampleRide(timetable, today),
  };
}

async function readTimetable(options: ConvertOptions, changes: ChangeLog, onProgress: Progress): Promise<Timetable> {
  const archive = await openFeed(options.feed);
  try {
    const feed = await readFeed(archive, changes, onProgress);
    const { fromDay = Number.NEGATIVE_INFINITY, toDay = Number.POSITIVE_INFINITY } = options.period ?? {};
    const { interpolation = 'distance' } = options;
    const timetable = buildTimetable(feed, { period: { fromDay, toDay }, interpolation }, changes);
    if (timetable.lines.length > MOST_LINES) {
      throw new FeedError(
        `The feed has ${timetable.lines.length} routes, a file each; an upload takes ${MOST_LINES}. Divide the feed, by agency for example.`,
      );
    }
    return timetable;
  } finally {
    archive.close();
  }
}

function* datasetEntries(
  timetable: Timetable,
  names: NetexNames,
  withStops: boolean,
  changes: ChangeLog,
): Generator<ArchiveEntryText> {
  yield { name: `_${names.prefix}_shared_data.xml`, text: () => sharedDataXml(timetable, names) };
  if (withStops) yield { name: `_${names.prefix}_stops.xml`, text: () => datasetStopsXml(timetable, names) };
  for (const line of timetable.lines) {
    const file = { timetable, names, line };
    yield { name: lineFileName(file), text: () => lineXml(file, changes) };
  }
}

function countsOf({
  lines,
  stopPlaces,
  pathLinks,
  agencies,
  calendar,
  partCalendar,
}: Timetable): Record<string, number> {
  const patterns = lines.flatMap((line) => line.patterns);
  return {
    agencies: agencies.length,
    lines: lines.length,
    'journey patterns': patterns.length,
    journeys: patterns.reduce((sum, { trips }) => sum + trips.length, 0),
    'stop times': patterns.reduce((sum, { trips, stops }) => sum + trips.length * stops.length, 0),
    'stop places': stopPlaces.length,
    quays: stopPlaces.reduce((sum, { quays }) => sum + quays.length, 0),
    'day types': calendar.filter((entry) => entry !== undefined).length + partCalendar.length,
    interchanges: lines.reduce((sum, { interchanges }) => sum + interchanges.length, 0),
    'ways on foot': pathLinks.length,
  };
}
