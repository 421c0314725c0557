/** Makes and reads archives briefly, for tests of netex/zip. */
import {
  type Archive,
  bufferRangeReader,
  DEFAULT_ARCHIVE_LIMITS,
  openArchive,
  streamEntry,
} from '../../netex/zip/index.ts';
import { type EntrySpec, writeZip, type ZipSpec } from './zip-writer.ts';

export const openBytes = (bytes: Uint8Array, limits = DEFAULT_ARCHIVE_LIMITS): Promise<Archive> =>
  openArchive(bufferRangeReader(bytes), limits);

export const openEntries = (entries: readonly EntrySpec[], spec?: ZipSpec): Promise<Archive> =>
  openBytes(writeZip(entries, spec));

/** Reads one entry as a stream of UTF-8. */
export async function textOf(archive: Archive, name: string): Promise<string> {
  const entry = archive.entries.find((candidate) => candidate.name === name);
  if (!entry) throw new Error(`The archive has no ${name}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamEntry(archive, entry)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Random whole numbers below `limit`, the same for the same seed. */
export function seededRandom(seed: number): (limit: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}
