/**
 * Filters a dataset as the service does and tells what was kept and dropped:
 * `npm run netex:filter -- ARCHIVE CODESPACE DAY OUT [--public]`. For operators and developers.
 */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type FilterOutcome, filterDataset } from '../netex/filter/index.ts';
import { XmlDecoder } from '../netex/xml/decode.ts';
import {
  type Archive,
  DEFAULT_ARCHIVE_LIMITS,
  openArchive,
  openFileRangeReader,
  streamEntry,
} from '../netex/zip/index.ts';

const USAGE =
  'npm run netex:filter -- ARCHIVE CODESPACE DAY OUT [--public], for example data.zip abc 2026-11-21 private.zip';

async function filterFile(archivePath: string, codespace: string, day: string, out: string, isPublic: boolean) {
  await checkPaths(archivePath, out);
  const reader = await openFileRangeReader(archivePath);
  const unfinished = `${out}.part`;
  try {
    const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
    const xmlns = codespace.toUpperCase();
    if (!(await holdsIdOf(xmlns, archive))) {
      throw new Error(
        `${archivePath} holds no element whose id begins with ${xmlns}: — is ${codespace} its codespace? Nothing was written`,
      );
    }
    const mode = isPublic ? 'public' : 'private';
    const outcome = await filterDataset({ archive, xmlns, day, mode }, (zip) =>
      pipeline(Readable.from(zip), createWriteStream(unfinished)),
    );
    if (!outcome.empty) await rename(unfinished, out);
    return outcome;
  } finally {
    await reader.close();
    await rm(unfinished, { force: true });
  }
}

async function checkPaths(archivePath: string, out: string): Promise<void> {
  const find = (path: string) => stat(path).catch(() => undefined);
  const archive = await find(archivePath);
  if (!archive) throw new Error(`There is no file ${archivePath} to filter`);
  if (!archive.isFile()) throw new Error(`${archivePath} is no file: the archive to filter has to be a zip file`);
  const folder = await find(dirname(out));
  if (!folder?.isDirectory()) throw new Error(`There is no folder ${dirname(out)} to write ${out} into`);
  if ((await find(out))?.isDirectory()) throw new Error(`${out} is a folder: name the zip file to write`);
}

/** Reads no further than to the first one, which mostly is near the beginning. */
async function holdsIdOf(xmlns: string, archive: Archive): Promise<boolean> {
  const wanted = [`id="${xmlns}:`, `id='${xmlns}:`];
  for (const entry of archive.entries) {
    const decoder = new XmlDecoder();
    // A chunk may end within an id.
    let before = '';
    for await (const chunk of streamEntry(archive, entry)) {
      const text = before + decoder.write(chunk);
      if (wanted.some((beginning) => text.includes(beginning))) return true;
      before = text.slice(-`id="${xmlns}`.length);
    }
  }
  return false;
}

function printOutcome(outcome: FilterOutcome): void {
  const kinds = [...new Set([...Object.keys(outcome.kept), ...Object.keys(outcome.dropped)])].sort();
  const width = Math.max(...kinds.map((kind) => kind.length), 4);
  console.log(`${'kind'.padEnd(width)}  ${'kept'.padStart(8)}  dropped`);
  for (const kind of kinds) {
    const reasons = Object.entries(outcome.dropped[kind] ?? {}).map(([reason, count]) => `${count} ${reason}`);
    console.log(`${kind.padEnd(width)}  ${String(outcome.kept[kind] ?? 0).padStart(8)}  ${reasons.join(', ')}`);
  }
  const cuts = Object.entries(outcome.cutReferences).map(([name, count]) => `${count} ${name}`);
  if (cuts.length > 0) console.log(`References cut: ${cuts.join(', ')}`);
  for (const { name, from, bytes } of outcome.files) console.log(`${name}  ${bytes} bytes, from ${from}`);
  if (outcome.droppedFiles.length > 0) console.log(`Files left out: ${outcome.droppedFiles.join(', ')}`);
  if (outcome.empty) console.log('Nothing is left to run: no archive was written');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { public: { type: 'boolean', default: false } },
});
const [archivePath, codespace, day, out] = positionals;
if (archivePath && codespace && day && out) {
  try {
    printOutcome(await filterFile(archivePath, codespace, day, out, values.public));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
