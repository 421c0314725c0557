/**
 * Streams a zip entry by entry; equal content gives equal bytes, without clock or time zone. Caller: filterDataset.
 */
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface EntryToWrite {
  readonly name: string;
  /** Called when the entry's turn comes. */
  read(): AsyncIterable<Uint8Array>;
}

/** Nearly as small as the highest level, in half the time. */
const COMPRESSION_LEVEL = 5;
/** The earliest day that zip can store; local midnight, because zip stores local time. */
const NO_TIME = new Date(1980, 0, 1);

/** The iteration throws errors of reading an entry. */
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
