/**
 * Distinguishes a timetable from a stop register (stop places and quays alone) by the elements of its files.
 *
 * Caller: classify.ts, after every file has been found to be NeTEx. Stops at the first sign of a timetable.
 */
import type { DatasetKind } from '../validation-context.ts';
import { XmlDecoder, XmlEncodingError } from '../xml/decode.ts';
import type { Archive, ArchiveEntry } from './archive.ts';
import { ArchiveError } from './archive-error.ts';
import { type ReadOptions, streamEntry } from './entry-data.ts';
import { TagNames } from './tag-names.ts';

/**
 * No stop register holds these. Its ServiceFrame and FareFrame do not count: exports of registers have stop points,
 * assignments and fare zones in them.
 */
const SIGNS_OF_TIMETABLE = new Set([
  'TimetableFrame',
  'ServiceCalendarFrame',
  'VehicleScheduleFrame',
  'DriverScheduleFrame',
  'Line',
  'FlexibleLine',
  'Route',
  'JourneyPattern',
  'ServiceJourneyPattern',
  'ServiceJourney',
]);

/** Line files first, small ones first: in a timetable one of them decides within its first kilobytes. */
export async function findDatasetKind(
  archive: Archive,
  entries: readonly ArchiveEntry[],
  options: ReadOptions,
): Promise<DatasetKind> {
  const order = entries.toSorted(
    (a, b) => Number(a.kind === 'common') - Number(b.kind === 'common') || a.bytes - b.bytes,
  );
  let hasSiteFrame = false;
  for (const entry of order) {
    const sign = await firstSign(archive, entry, options);
    if (sign === 'timetable') return 'timetable';
    hasSiteFrame ||= sign === 'site-frame';
  }
  return hasSiteFrame ? 'stop-register' : 'timetable';
}

async function firstSign(
  archive: Archive,
  entry: ArchiveEntry,
  options: ReadOptions,
): Promise<'timetable' | 'site-frame' | 'none'> {
  let isTimetable = false;
  let hasSiteFrame = false;
  const names = new TagNames((name) => {
    if (SIGNS_OF_TIMETABLE.has(name)) isTimetable = true;
    else if (name === 'SiteFrame') hasSiteFrame = true;
  });
  const decoder = new XmlDecoder();
  try {
    for await (const chunk of streamEntry(archive, entry, options)) {
      names.write(decoder.write(chunk));
      if (isTimetable) return 'timetable';
    }
    names.write(decoder.end());
    names.end();
  } catch (error) {
    // The validation reports invalid bytes in the middle of a file, with their line.
    if (error instanceof ArchiveError || !(error instanceof XmlEncodingError)) throw error;
  }
  return isTimetable ? 'timetable' : hasSiteFrame ? 'site-frame' : 'none';
}
