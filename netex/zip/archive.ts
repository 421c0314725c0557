/**
 * Opens a zip archive: reads its directory and refuses every structure that is harmful or ambiguous.
 *
 * Callers: classification and validation activities, the demo import, benchmarks. Reads the directory only (two to
 * four ranged reads). Code that reads an entry checks its local header; the classification checks all of them.
 */
import type { FileKind } from '../finding.ts';
import { ArchiveError, foreignBytes, MAKE_ANEW, shownName } from './archive-error.ts';
import { type DirectoryRecord, readDirectory } from './directory.ts';
import { findDirectory } from './end-record.ts';
import { nameKey } from './entry-name.ts';
import { type ArchiveLimits, shownBytes } from './limits.ts';
import type { RangeReader } from './range-reader.ts';

export interface ArchiveEntry {
  /** Position in the archive's directory, from 0. */
  readonly index: number;
  readonly name: string;
  readonly kind: FileKind;
  readonly compressedBytes: number;
  /** Unpacked size, as the directory states it; reading enforces it. */
  readonly bytes: number;
}

export interface Archive {
  readonly reader: RangeReader;
  readonly limits: ArchiveLimits;
  /** XML files: common ones by name first, then line files by name. */
  readonly entries: readonly ArchiveEntry[];
  /** Names of all other entries, sorted. They are checked, but never read as data. */
  readonly otherNames: readonly string[];
  /** All entries in the order of the directory; `index` is the place. */
  readonly records: readonly DirectoryRecord[];
  /** All entries by their place in the archive; the directory begins where the last ends. */
  readonly recordsByOffset: readonly DirectoryRecord[];
  readonly directoryOffset: number;
}

const LOCAL_HEADER_BYTES = 30;
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Throws ArchiveError for faults that the sender must correct; errors of the reader pass through. */
export async function openArchive(reader: RangeReader, limits: ArchiveLimits): Promise<Archive> {
  const place = await findDirectory(reader);
  if (place.entries === 0) {
    throw new ArchiveError('ERROR_VALIDATION_NO_DATA', 'The zip holds no files. Put the NeTEx files in it.');
  }
  if (place.entries > limits.maxEntries) {
    throw new ArchiveError(
      'ARCHIVE_TOO_MANY_ENTRIES',
      `The zip holds ${place.entries} files; at most ${limits.maxEntries} are accepted. Combine lines into fewer files.`,
    );
  }
  if (place.sizeBytes > limits.maxDirectoryBytes) {
    throw new ArchiveError(
      'ARCHIVE_TOO_LARGE',
      `The list of files in the zip has ${shownBytes(place.sizeBytes)}; at most ${shownBytes(limits.maxDirectoryBytes)} are accepted. ${MAKE_ANEW}`,
    );
  }
  const records = await readDirectory(reader, place, limits);
  refuseDuplicates(records);
  refuseTotals(records, reader.sizeBytes, limits);
  const recordsByOffset = records.toSorted((a, b) => a.offset - b.offset);
  refuseOverlaps(recordsByOffset, place.offset);
  return {
    reader,
    limits,
    entries: records.filter(isXml).map(toEntry).sort(inReadingOrder),
    otherNames: records
      .filter((record) => !isXml(record))
      .map((record) => record.name)
      .sort(byCodeUnits),
    records,
    recordsByOffset,
    directoryOffset: place.offset,
  };
}

const isXml = (record: DirectoryRecord): boolean => /\.xml$/i.test(record.name);

function toEntry({ index, name, compressedBytes, bytes }: DirectoryRecord): ArchiveEntry {
  return { index, name, kind: name.startsWith('_') ? 'common' : 'line', compressedBytes, bytes };
}

function inReadingOrder(a: ArchiveEntry, b: ArchiveEntry): number {
  return byCodeUnits(a.kind, b.kind) || byCodeUnits(a.name, b.name);
}

function refuseDuplicates(records: readonly DirectoryRecord[]): void {
  const seen = new Map<string, string>();
  for (const { name } of records) {
    const key = nameKey(name);
    const other = seen.get(key);
    if (other !== undefined) {
      const shown = shownName(name);
      const what = other === name ? `"${shown}" twice` : `both "${shownName(other)}" and "${shown}"`;
      throw new ArchiveError(
        'ARCHIVE_DUPLICATE_NAME',
        `The zip holds ${what}; on many systems one would overwrite the other. Give every file a name of its own.`,
        shown,
      );
    }
    seen.set(key, name);
  }
}

function refuseTotals(records: readonly DirectoryRecord[], archiveBytes: number, limits: ArchiveLimits): void {
  const total = records.reduce((sum, record) => sum + record.bytes, 0);
  if (total > limits.maxTotalBytes) {
    throw new ArchiveError(
      'ARCHIVE_TOO_LARGE',
      `The files have ${shownBytes(total)} unpacked; at most ${shownBytes(limits.maxTotalBytes)} are accepted. Divide the dataset.`,
    );
  }
  if (total > limits.ratioFloorBytes && total > archiveBytes * limits.maxRatio) {
    throw new ArchiveError(
      'ARCHIVE_RATIO',
      `The zip unpacks to more than ${limits.maxRatio} times its size, which timetables never do. Check its content.`,
    );
  }
}

/** Checks the minimum size of each entry; the classification later checks the true extents, gaps included. */
function refuseOverlaps(byOffset: readonly DirectoryRecord[], directoryOffset: number): void {
  const first = byOffset[0]?.offset ?? 0;
  let free = 0;
  for (const record of byOffset) {
    const shown = shownName(record.name);
    const end = record.offset + LOCAL_HEADER_BYTES + record.nameBytes.length + record.compressedBytes;
    if (end > directoryOffset) {
      throw new ArchiveError('ARCHIVE_DAMAGED', `"${shown}" is said to lie outside the archive. ${MAKE_ANEW}`, shown);
    }
    if (record.offset < free) {
      throw new ArchiveError(
        'ARCHIVE_OVERLAPPING',
        `"${shown}" shares its bytes with another file. ${MAKE_ANEW}`,
        shown,
      );
    }
    free = end;
  }
  if (first > 0) throw foreignBytes(`${first} bytes that belong to no file precede the first file of the archive.`);
}
