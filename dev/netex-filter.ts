/**
 * Filters a dataset as the service does and tells what was kept and dropped:
 * `npm run netex:filter -- ARCHIVE CODESPACE DAY OUT [--public]`. For operators and developers.
 */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type FilterOutcome, filterDataset } from '../netex/filter/index.ts';
import { DEFAULT_ARCHIVE_LIMITS, openArchive, openFileRangeReader } from '../netex/zip/index.ts';

const USAGE =
  'npm run netex:filter -- ARCHIVE CODESPACE DAY OUT [--public], for example data.zip abc 2026-11-21 private.zip';

async function filterFile(archivePath: string, codespace: string, day: string, out: string, isPublic: boolean) {
  const reader = await openFileRangeReader(archivePath);
  const unfinished = `${out}.part`;
  try {
    const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
    const mode = isPublic ? 'public' : 'private';
    const outcome = await filterDataset({ archive, xmlns: codespace.toUpperCase(), day, mode }, (zip) =>
      pipeline(Readable.from(zip), createWriteStream(unfinished)),
    );
    if (!outcome.empty) await rename(unfinished, out);
    return outcome;
  } finally {
    await reader.close();
    await rm(unfinished, { force: true });
  }
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
