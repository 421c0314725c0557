/**
 * Opens a zipped feed and streams its tables. All tables may lie in one folder, as many programs pack them; files
 * that macOS adds are ignored. Callers: the readers of tables. Never unpacks to disk.
 */
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { FeedError } from './feed-error.ts';

export interface FeedArchive {
  /** Names of the tables, without the folder: `stops.txt`. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacked size, as the archive states it. */
  bytesOf(name: string): number;
  open(name: string): Promise<Readable>;
  close(): void;
}

export async function openFeed(path: string): Promise<FeedArchive> {
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw new FeedError(`${path} cannot be read as a zip: ${messageOf(error)}. Give the .zip file of a GTFS feed.`);
  }
  const entries = await listEntries(zip, path);
  const entryOf = (name: string): Entry => {
    const entry = entries.get(name);
    if (entry) return entry;
    const known = [...entries.keys()].join(', ') || 'no table at all';
    throw new FeedError(`The feed has no ${name}, which is required. It holds ${known}.`);
  };
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    bytesOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
    async open(name) {
      const entry = entryOf(name);
      if (!entry.canDecodeFileData()) {
        throw new FeedError('it is encrypted or packed by a rare method. Pack the feed anew as a plain zip.', {
          file: name,
        });
      }
      return await zip.openReadStreamPromise(entry);
    },
    close: () => zip.close(),
  };
}

async function listEntries(zip: ZipFile, path: string): Promise<Map<string, Entry>> {
  const found: { folder: string; name: string; entry: Entry }[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const parts = entry.fileName.split('/');
      const name = parts.pop() ?? '';
      if (!/\.(txt|geojson)$/i.test(name) || parts[0] === '__MACOSX' || name.startsWith('.')) continue;
      found.push({ folder: parts.join('/'), name: name.toLowerCase(), entry });
    }
  } catch (error) {
    throw new FeedError(`${path} is a damaged zip: ${messageOf(error)}. Fetch the feed again.`);
  }
  const folders = new Set(found.filter(({ name }) => name === 'stops.txt').map(({ folder }) => folder));
  if (folders.size > 1) {
    const listed = [...folders].map((folder) => folder || 'the top').join(', ');
    throw new FeedError(`${path} holds several feeds, in ${listed}. Give one feed at a time.`);
  }
  const [folder = ''] = folders;
  return new Map(found.filter((one) => one.folder === folder).map(({ name, entry }) => [name, entry]));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
