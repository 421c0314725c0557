/** One file of a back-up, sealed for its place in it. Callers: the copies of documents and objects. */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openChunks, sealChunks } from './sealed-chunks.ts';
import { UserError } from './user-error.ts';

const READ_BYTES = 512 * 1024;

export interface SealedFile {
  readonly path: string;
  /** Writes what the stream yields, and flushes it to the disk. `to` is another path for an unfinished file. */
  readonly write: (plain: AsyncIterable<Uint8Array>, to?: string) => Promise<void>;
  /** Throws UserError if the file is missing, damaged, cut, or from another place. */
  readonly read: () => AsyncGenerator<Buffer>;
}

export function sealedFile(path: string, key: Uint8Array, place: string): SealedFile {
  return {
    path,
    write: (plain, to = path) =>
      pipeline(sealChunks(key, place, plain), createWriteStream(to, { mode: 0o600, flush: true })),
    read: async function* () {
      try {
        yield* openChunks(key, place, createReadStream(path, { highWaterMark: READ_BYTES }));
      } catch (cause) {
        throw new UserError(`${path} is damaged`, { cause });
      }
    },
  };
}

export async function readWhole(file: SealedFile): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(file.read()));
}
