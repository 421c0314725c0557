/**
 * Writes a zip as a stream, entry by entry, the same bytes for the same content: no clock, no time zone. Caller:
 * filterDataset.
 */
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface EntryToWrite {
  readonly name: string;
  /** Begun when its turn comes. */
  read(): AsyncIterable<Uint8Array>;
}

/** Nearly as small as the highest level, in half the time. */
const COMPRESSION_LEVEL = 5;
/** The first day that a zip can tell; local midnight, since that is what it stores. */
const NO_TIME = new Date(1980, 0, 1);

/** What reading an entry throws, the iteration throws. */
export async function* zipStream(entries: readonly EntryToWrite[]): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const fail = (error: unknown): unknown => output.destroy(error instanceof Error ? error : new Error(String(error)));
  const options = { mtime: NO_TIME, forceDosTimestamp: true, mode: 0o100644, compressionLevel: COMPRESSION_LEVEL };
  let reading: Readable | undefined;
  zip.on('error', fail);
  for (const entry of entries) {
    zip.addReadStreamLazy(entry.name, options, (give) => {
      reading = Readable.from(entry.read(), { objectMode: false }).on('error', fail);
      give(null, reading);
    });
  }
  zip.end();
  try {
    for await (const chunk of output) yield chunk as Buffer;
  } finally {
    reading?.destroy();
    output.destroy();
  }
}
