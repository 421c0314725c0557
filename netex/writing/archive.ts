/**
 * Writes a zip archive entry by entry: each entry's text is made when its turn comes and never whole in memory. The
 * bytes depend on the entries alone, not on the clock or the machine's time zone. Callers: the demo data, the GTFS
 * converter.
 */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ArchiveEntryText {
  readonly name: string;
  text(): Iterable<string>;
}

const CHUNK_CHARACTERS = 256 * 1024;
/** Nearly as small as the highest level, in half the time. */
const COMPRESSION_LEVEL = 5;

/** Appears under its name only when complete. */
export async function writeArchive(
  path: string,
  entries: Iterable<ArchiveEntryText>,
  date: string,
  signal?: AbortSignal,
): Promise<void> {
  const zip = new ZipFile();
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const options = {
    // Zip stores local time without a zone: local midnight gives the same bytes everywhere.
    mtime: new Date(year, month - 1, day),
    forceDosTimestamp: true,
    mode: 0o100644,
    compressionLevel: COMPRESSION_LEVEL,
  };
  for (const entry of entries) {
    zip.addReadStreamLazy(entry.name, options, (give) => give(null, Readable.from(inChunks(entry.text()))));
  }
  zip.end();
  const unfinished = `${path}.part`;
  try {
    await pipeline(zip.outputStream, createWriteStream(unfinished), { ...(signal && { signal }) });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Joins many small texts into few large buffers. */
function* inChunks(texts: Iterable<string>): Generator<Buffer> {
  let pending = '';
  for (const text of texts) {
    pending += text;
    if (pending.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(pending);
    pending = '';
  }
  if (pending) yield Buffer.from(pending);
}
