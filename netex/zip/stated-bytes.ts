/**
 * The unpacked size that an archive states, from its directory alone. Caller: the upload handler, for the quota. The
 * reader of the files enforces these sizes.
 */

import { ArchiveError } from './archive-error.ts';
import { readDirectory } from './directory.ts';
import { findDirectory } from './end-record.ts';
import { DEFAULT_ARCHIVE_LIMITS } from './limits.ts';
import type { RangeReader } from './range-reader.ts';

const { maxDirectoryBytes, maxEntries, maxTotalBytes } = DEFAULT_ARCHIVE_LIMITS;
/** Sizes are only counted here. The classification checks them, with the limits of its configuration. */
const NO_LIMITS = {
  ...DEFAULT_ARCHIVE_LIMITS,
  maxEntryBytes: Number.POSITIVE_INFINITY,
  maxRatio: Number.POSITIVE_INFINITY,
};

/**
 * At most the usual limit, beyond which nothing is unpacked. Undefined for what is no readable archive, which the
 * classification refuses without unpacking anything.
 */
export async function statedBytes(reader: RangeReader): Promise<number | undefined> {
  try {
    const place = await findDirectory(reader);
    // A directory of some hundred thousand entries would cost the API seconds.
    if (place.sizeBytes > maxDirectoryBytes || place.entries > maxEntries) return undefined;
    const records = await readDirectory(reader, place, NO_LIMITS);
    return Math.min(
      maxTotalBytes,
      records.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  } catch (error) {
    if (error instanceof ArchiveError) return undefined;
    throw error;
  }
}
