/**
 * Makes small feeds and converts them. Callers: tests of the converter. A feed is a set of texts by table. Tables that
 * a test does not name are those of a little town: a bus line with two trips on weekdays.
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { type Conversion, type ConvertOptions, convertFeed } from '../../gtfs-to-netex/convert.ts';
import { parseTree, readArchive, type Tree, temporaryFolder } from '../support/demo-dataset.ts';

/** Texts by table, without `.txt`; null leaves a table out. */
export type Tables = Readonly<Record<string, string | Buffer | null>>;

export const TOWN: Tables = {
  agency: 'agency_id,agency_name,agency_url,agency_timezone\nT,Town Traffic,https://town.example,America/New_York',
  stops:
    'stop_id,stop_name,stop_lat,stop_lon\n' +
    'A,Alder,40.70,-74.00\nB,Birch,40.71,-74.00\nC,Cedar,40.72,-74.00\nD,Dogwood,40.73,-74.00',
  routes: 'route_id,route_short_name,route_long_name,route_type\nR1,1,Main Street,3',
  trips: 'route_id,service_id,trip_id,trip_headsign,direction_id\nR1,WK,T1,Dogwood,0\nR1,WK,T2,Dogwood,0',
  stop_times:
    'trip_id,arrival_time,departure_time,stop_id,stop_sequence\n' +
    'T1,08:00:00,08:00:00,A,1\nT1,08:05:00,08:05:30,B,2\nT1,08:10:00,08:10:00,C,3\nT1,08:15:00,08:15:00,D,4\n' +
    'T2,09:00:00,09:00:00,A,1\nT2,09:05:00,09:05:30,B,2\nT2,09:10:00,09:10:00,C,3\nT2,09:15:00,09:15:00,D,4',
  calendar:
    'service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n' +
    'WK,1,1,1,1,1,0,0,20261102,20261231',
};

let feeds = 0;
let folder: string | undefined;

export function newPath(name: string): string {
  folder ??= temporaryFolder();
  feeds++;
  return join(folder, `${feeds}-${name}`);
}

/** `inFolder`: puts all tables into this folder. `others`: more entries by full name. */
export async function writeFeed(
  tables: Tables,
  { inFolder = '', others = {} }: { inFolder?: string; others?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries({ ...TOWN, ...tables })) {
    if (text !== null) zip.addBuffer(Buffer.from(text), `${inFolder}${name}.txt`);
  }
  for (const [name, text] of Object.entries(others)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  const path = newPath('feed.zip');
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

export interface Converted {
  readonly conversion: Conversion;
  readonly path: string;
  readonly shared: Tree;
  readonly stops: Tree;
  /** The line files, in the order of the feed. */
  readonly lines: readonly Tree[];
  readonly names: readonly string[];
}

export async function convertTables(tables: Tables, options: Partial<ConvertOptions> = {}): Promise<Converted> {
  return await convertPath(await writeFeed(tables), options);
}

export async function convertPath(feed: string, options: Partial<ConvertOptions> = {}): Promise<Converted> {
  const path = newPath('dataset.zip');
  const conversion = await convertFeed({ feed, dataset: path, codespace: 'twn', ...options });
  const files = new Map<string, Tree>();
  for (const archive of options.register ? [path, options.register] : [path]) {
    for await (const { name, bytes } of readArchive(archive)) {
      files.set(name, parseTree(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    }
  }
  const find = (end: string): Tree => {
    const found = [...files].find(([name]) => name.startsWith('_') && name.endsWith(end))?.[1];
    if (!found) throw new Error(`There is no common file ${end}`);
    return found;
  };
  const lines = [...files].filter(([name]) => !name.startsWith('_'));
  return {
    conversion,
    path,
    shared: find('_shared_data.xml'),
    stops: find('_stops.xml'),
    lines: lines.map(([, tree]) => tree),
    names: [...files.keys()],
  };
}

/** Elements of this name in the first line file. */
export function everyOf({ lines }: Converted, name: string): Tree[] {
  return lines[0] ? [...lines[0].all(name)] : [];
}

export function findId(tree: Tree | undefined, id: string): Tree {
  const found = tree && [...tree.everything()].find((one) => one.id === id);
  if (!found) throw new Error(`There is no ${id}`);
  return found;
}

/** `departure` or `arrival` of each passing time of a journey, with its day offset: `00:10:00+1`. */
export function timesOf(journey: Tree): string[] {
  return [...journey.all('TimetabledPassingTime')].map((time) => {
    const part = (kind: string): string | undefined => {
      const offset = time.at(`${kind}DayOffset`);
      const clock = time.at(`${kind}Time`);
      return clock === undefined ? undefined : clock + (offset === undefined ? '' : `+${offset}`);
    };
    return [part('Arrival'), part('Departure')].filter((one) => one !== undefined).join(' ');
  });
}

export function changeOf({ conversion }: Converted, words: string): number {
  return conversion.changes.find(({ what }) => what.includes(words))?.count ?? 0;
}
