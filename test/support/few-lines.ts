/**
 * A timetable of a few small lines of the demo data: a valid dataset with every kind of file and element that a whole one has, in a tenth
 * of its bytes. For tests of imports. Tests of the demo data take the whole of it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArchive, useDemoData } from './demo-dataset.ts';
import { temporaryDirectory } from './folders.ts';
import { type EntrySpec, writeZip } from './zip-writer.ts';

/** Larger line files are left out. */
const LARGEST_LINE_BYTES = 100_000;

let made: Promise<string> | undefined;

/** The path of the archive. */
export function useFewLines(): Promise<string> {
  made ??= writeFewLines();
  return made;
}

async function writeFewLines(): Promise<string> {
  const entries: EntrySpec[] = [];
  for await (const { name, bytes } of readArchive((await useDemoData()).timetable)) {
    if (name.startsWith('_') || bytes.length <= LARGEST_LINE_BYTES) entries.push({ name, data: bytes });
  }
  const path = join(temporaryDirectory('few-lines'), 'few-lines.zip');
  writeFileSync(path, writeZip(entries));
  return path;
}
