/**
 * Makes the demo data of a date: two archives, the national stop register and the timetable of the fictional region. The
 * same date, factor and lines give the same bytes. A factor above 1 repeats the line files under other ids, for benchmarks.
 * Callers: the import into the local stack, benchmarks, tests, `npm run demo-data`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchiveEntryText, writeArchive } from '../../netex/writing/archive.ts';
import { lineFileName, lineXml } from './line-xml.ts';
import type { Region } from './model.ts';
import { expectCodespace, renameFor, rewriteFor } from './other-codespace.ts';
import { createRegion } from './region.ts';
import { sharedDataXml } from './shared-data-xml.ts';
import { stopRegisterXml } from './stop-register-xml.ts';

export interface DemoOptions {
  /** `yyyy-MM-dd`; the data covers the day before to five weeks after. */
  readonly date: string;
  /** Numbers of the lines that run; all unless given. */
  readonly lines?: readonly number[];
  /** How many times the line files are written; 1 to {@link MAX_FACTOR}. */
  readonly factor?: number;
  /** The timetable's ids begin with it; `dem` unless given. */
  readonly codespace?: string;
  /** When the files say they were made, date and time; midnight of `date` unless given. Another one makes other bytes. */
  readonly createdAt?: string;
  /** Made when missing. */
  readonly directory: string;
  readonly signal?: AbortSignal;
}

export interface DemoData {
  readonly stopRegister: string;
  readonly timetable: string;
  readonly firstDay: string;
  readonly lastDay: string;
}

/** More would pass the limits of an upload: 10,000 entries. */
export const MAX_FACTOR = 180;

export async function generateDemo(options: DemoOptions): Promise<DemoData> {
  const { date, directory, signal, lines, codespace, factor = 1, createdAt = `${date}T00:00:00` } = options;
  if (!Number.isInteger(factor) || factor < 1 || factor > MAX_FACTOR) {
    throw new Error(`The factor must be a whole number from 1 to ${MAX_FACTOR}, not ${factor}`);
  }
  if (codespace !== undefined) expectCodespace(codespace);
  const region = createRegion(date, lines);
  await mkdir(directory, { recursive: true });
  const stopRegister = join(directory, `demo-stops-${date}.zip`);
  const timetable = join(directory, `demo-timetable-${date}${factor === 1 ? '' : `-x${factor}`}.zip`);
  const stops = [{ name: '_stops.xml', text: () => stopRegisterXml(region, createdAt) }];
  await writeArchive(stopRegister, stops, date, signal);
  const entries = timetableEntries(region, createdAt, factor);
  await writeArchive(timetable, codespace === undefined ? entries : rewritten(entries, codespace), date, signal);
  return { stopRegister, timetable, firstDay: region.firstDay, lastDay: region.lastDay };
}

function* rewritten(entries: Iterable<ArchiveEntryText>, codespace: string): Generator<ArchiveEntryText> {
  for (const { name, text } of entries) {
    yield { name: renameFor(codespace, name), text: () => rewriteFor(codespace, text()) };
  }
}

export function* timetableEntries(region: Region, createdAt: string, factor: number): Generator<ArchiveEntryText> {
  const delivery = { createdAt, firstDay: region.firstDay, lastDay: region.lastDay };
  yield { name: '_DEM_shared_data.xml', text: () => sharedDataXml(region, delivery) };
  for (let copy = 1; copy <= factor; copy++) {
    for (const line of region.lines) {
      yield { name: lineFileName(line, copy), text: () => lineXml(region, line, copy, delivery) };
    }
  }
}
