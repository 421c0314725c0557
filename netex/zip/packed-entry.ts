/**
 * A small entry as stored in the archive, and its unpacking. The thread that needs the content does the second step,
 * so that only packed bytes travel.
 *
 * Callers: validation activities and thread; entry-data.ts. Plain data: it crosses into a thread by structured clone.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { shownName } from './archive-error.ts';
import { checkContent, endsEarly, tooLong, unpackingError } from './content-errors.ts';
import { DEFLATED } from './directory.ts';

export interface PackedEntry {
  readonly name: string;
  /** Method of the zip: stored or deflated. */
  readonly method: number;
  /** Unpacked size, as the directory states it. */
  readonly bytes: number;
  readonly crc32: number;
  readonly packed: Uint8Array;
}

/** The whole content. Throws ArchiveError when it does not match the directory. */
export function unpackEntry(entry: PackedEntry): Uint8Array {
  const whole = entry.method === DEFLATED ? inflateAtOnce(entry) : new Uint8Array(entry.packed);
  checkContent(entry, whole.length, crc32(whole));
  return whole;
}

function inflateAtOnce(entry: PackedEntry): Uint8Array {
  // One byte more than declared, so that it fits one chunk and any excess is noticed.
  const options = { chunkSize: Math.max(64, entry.bytes + 1), maxOutputLength: entry.bytes + 1, info: true };
  try {
    const { buffer, engine } = inflateRawSync(entry.packed, options) as unknown as Unpacked;
    if (engine.bytesWritten !== entry.packed.length) throw endsEarly(shownName(entry.name));
    return buffer;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(entry);
    throw unpackingError(error, shownName(entry.name));
  }
}

/** Result with the option `info`, which the type declarations leave out. */
interface Unpacked {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
