/** Limits of an archive. Callers pass their own from configuration; these are the defaults, with reasons. */
export interface ArchiveLimits {
  /** A national operator has some hundred lines, one file each. */
  readonly maxEntries: number;
  /**
   * Unpacked size. The largest files seen have 0.5 GB (a national stop register). A validation worker accepts less when
   * its memory is small: activities/timetable/validation-memory.ts.
   */
  readonly maxEntryBytes: number;
  /** Unpacked size of all entries together. */
  readonly maxTotalBytes: number;
  /**
   * Unpacked bytes for each packed byte. Timetables pack 5 to 60 times; deflate itself ends at 1,032, which only
   * meaningless content reaches. Applies to each entry and to the archive as a whole.
   */
  readonly maxRatio: number;
  /** The ratio is not checked for entries and archives below this unpacked size, which does no harm. */
  readonly ratioFloorBytes: number;
  /** The directory is held in memory. 10,000 names of usual length need 1.5 MB. */
  readonly maxDirectoryBytes: number;
  /** The root element must begin within so many bytes of a file: the text before it is read before any check. */
  readonly maxPrologBytes: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 10_000,
  maxEntryBytes: 2048 * MIB,
  maxTotalBytes: 4096 * MIB,
  maxRatio: 200,
  ratioFloorBytes: MIB,
  maxDirectoryBytes: 16 * MIB,
  maxPrologBytes: 64 * 1024,
};

/** Formats a size for messages: `2 GiB`, `150 MiB`, `812 bytes`. */
export function shownBytes(bytes: number): string {
  if (bytes < 10 * 1024) return `${bytes} bytes`;
  const units: ReadonlyArray<readonly [string, number]> = [
    ['GiB', 1024 * MIB],
    ['MiB', MIB],
    ['KiB', 1024],
  ];
  const [unit, size] = units.find(([, size]) => bytes >= size) ?? ['KiB', 1024];
  return `${Math.round((bytes / size) * 10) / 10} ${unit}`;
}
