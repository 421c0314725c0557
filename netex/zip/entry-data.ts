/**
 * Unpacks one entry and checks header, sizes and checksum against the directory. Stops at the first byte too many.
 *
 * Callers: validation activities (readEntry), the classification and stop register (streamEntry). Memory: streamEntry
 * holds about 3 MiB whatever the entry's size; readEntry that and the entry itself.
 */
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { Archive, ArchiveEntry } from './archive.ts';
import { shownName } from './archive-error.ts';
import { coalescedReader, type Span, windowedReader } from './coalesced-reader.ts';
import { checkContent, endsEarly, tooLong, unpackingError } from './content-errors.ts';
import { DEFLATED, type DirectoryRecord } from './directory.ts';
import { checkLocalHeader, LOCAL_HEADER_BYTES } from './local-header.ts';
import { type PackedEntry, unpackEntry } from './packed-entry.ts';
import { type RangeReader, readExactly } from './range-reader.ts';

const READ_BYTES = 1024 * 1024;
const UNPACKED_CHUNK_BYTES = 256 * 1024;
/** Extra data in a local header is seldom longer; when it is, it costs one more request. */
const USUAL_EXTRA_BYTES = 256;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The directory's record of an entry of this archive. */
function recordOf(archive: Archive, entry: Pick<ArchiveEntry, 'index' | 'name'>): DirectoryRecord {
  const record = archive.records[entry.index];
  if (record?.name !== entry.name) throw new RangeError(`${shownName(entry.name)} is not an entry of this archive`);
  return record;
}

/** Larger entries get requests of their own. */
const SMALL_ENTRY_BYTES = READ_BYTES;

/** The same archive, prepared to read these entries: small neighbouring ones share one request. */
export function planReading(archive: Archive, entries: readonly ArchiveEntry[]): Archive {
  const records = entries.map((entry) => recordOf(archive, entry));
  const small = records.filter(({ compressedBytes }) => compressedBytes <= SMALL_ENTRY_BYTES);
  const spans = small.map((record) => spanOf(archive, record));
  return { ...archive, reader: windowedReader(archive.reader, spans) };
}

/** Header and data, or the first data of a large entry; covers the header in all but unusual archives. */
function spanOf(archive: Archive, { offset, nameBytes, compressedBytes }: DirectoryRecord): Span {
  const headerBytes = LOCAL_HEADER_BYTES + nameBytes.length + USUAL_EXTRA_BYTES;
  const end = offset + headerBytes + Math.min(compressedBytes, READ_BYTES);
  return { start: offset, end: Math.min(end, archive.directoryOffset) };
}

/** The whole entry. Throws ArchiveError when it does not match the directory. */
export async function readEntry(archive: Archive, entry: ArchiveEntry, options: ReadOptions = {}): Promise<Uint8Array> {
  const record = recordOf(archive, entry);
  const small = await readPackedEntry(archive, entry, options);
  if (small) return unpackEntry(small);
  const whole = Buffer.allocUnsafeSlow(record.bytes);
  let filled = 0;
  for await (const chunk of streamEntry(archive, entry, options)) {
    whole.set(chunk, filled);
    filled += chunk.length;
  }
  return whole;
}

/** Unpacking this much blocks other work for some milliseconds, at half the cost of a stream. */
const AT_ONCE_BYTES = 4 * 1024 * 1024;

/** The packed entry, to unpack elsewhere; undefined when it is too large for that. */
export async function readPackedEntry(
  archive: Archive,
  entry: Pick<ArchiveEntry, 'index' | 'name'>,
  { signal }: ReadOptions = {},
): Promise<PackedEntry | undefined> {
  const record = recordOf(archive, entry);
  const { name, method, bytes, compressedBytes } = record;
  if (compressedBytes > SMALL_ENTRY_BYTES || bytes > AT_ONCE_BYTES) return undefined;
  signal?.throwIfAborted();
  const reader = coalescedReader(archive.reader, [spanOf(archive, record)]);
  const start = await checkLocalHeader(archive, record, reader);
  const packed = await readExactly(reader, start, compressedBytes);
  return { name, method, bytes, crc32: record.crc32, packed };
}

/** The entry's bytes in order. After an ArchiveError, do not trust the bytes yielded before. */
export async function* streamEntry(
  archive: Archive,
  entry: Pick<ArchiveEntry, 'index' | 'name'>,
  { signal }: ReadOptions = {},
): AsyncGenerator<Uint8Array> {
  const record = recordOf(archive, entry);
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of unpack(archive, record)) {
    signal?.throwIfAborted();
    bytes += chunk.length;
    if (bytes > record.bytes) throw tooLong(record);
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  checkContent(record, bytes, checksum);
}

async function* unpack(archive: Archive, record: DirectoryRecord): AsyncGenerator<Uint8Array> {
  const { compressedBytes } = record;
  const reader = coalescedReader(archive.reader, [spanOf(archive, record)]);
  const packed = packedChunks(reader, await checkLocalHeader(archive, record, reader), compressedBytes);
  if (record.method === DEFLATED) yield* inflate(packed, record);
  else yield* packed;
}

async function* packedChunks(reader: RangeReader, start: number, lengthBytes: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < lengthBytes; ) {
    const length = Math.min(READ_BYTES, lengthBytes - done);
    yield await readExactly(reader, start + done, length);
    done += length;
  }
}

/** Reads one chunk of packed data ahead while the previous one is unpacked. */
async function* inflate(packed: AsyncGenerator<Buffer>, record: DirectoryRecord): AsyncGenerator<Uint8Array> {
  const shown = shownName(record.name);
  const source = Readable.from(packed, { highWaterMark: 1 });
  const engine = createInflateRaw({ chunkSize: UNPACKED_CHUNK_BYTES });
  // Connects both ends; errors reach the iteration below.
  pipeline(source, engine, () => undefined);
  try {
    for await (const chunk of engine) yield chunk as Buffer;
  } catch (error) {
    throw unpackingError(error, shown);
  }
  if (engine.bytesWritten !== record.compressedBytes) {
    throw endsEarly(shown);
  }
}
