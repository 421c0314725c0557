/** Runs the filter over datasets and validates the result, for the tests of the filter. */
import assert from 'node:assert/strict';
import { addFileIds, SEVERAL_FILES } from '../../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../../netex/dataset/id-index.ts';
import { validateDataset } from '../../../netex/dataset/validate-dataset.ts';
import type { FileResult } from '../../../netex/file-result.ts';
import { type FilterMode, type FilterOutcome, filterDataset } from '../../../netex/filter/index.ts';
import { CommonFactsBuilder } from '../../../netex/model/common-facts.ts';
import type { SchemaSet } from '../../../netex/schema/index.ts';
import { validateFile } from '../../../netex/validate-file.ts';
import type { NetexFile, ValidationContext } from '../../../netex/validation-context.ts';
import { bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive, readEntry } from '../../../netex/zip/index.ts';
import { parseTree, type Tree } from '../../support/demo-dataset.ts';
import { writeZip } from '../../support/zip-writer.ts';

export interface Filtered {
  readonly outcome: FilterOutcome;
  /** The archive; empty when nothing was written. */
  readonly zip: Uint8Array;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface FilterOptions {
  readonly xmlns: string;
  readonly day: string;
  readonly mode?: FilterMode;
}

export async function filter(
  archiveBytes: Uint8Array,
  { xmlns, day, mode = 'private' }: FilterOptions,
): Promise<Filtered> {
  const archive = await openArchive(bufferRangeReader(archiveBytes), DEFAULT_ARCHIVE_LIMITS);
  const chunks: Uint8Array[] = [];
  const outcome = await filterDataset({ archive, xmlns, day, mode }, async (stream) => {
    for await (const chunk of stream) chunks.push(chunk);
  });
  const written = new Uint8Array(Buffer.concat(chunks));
  return { outcome, zip: written, files: written.length > 0 ? await filesOf(written) : new Map() };
}

export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return writeZip(Object.entries(files).map(([name, data]) => ({ name, data })));
}

export async function filesOf(archiveBytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const archive = await openArchive(bufferRangeReader(archiveBytes), DEFAULT_ARCHIVE_LIMITS);
  const files = new Map<string, Uint8Array>();
  for (const entry of archive.entries) files.set(entry.name, await readEntry(archive, entry));
  return files;
}

export function textsOf(files: ReadonlyMap<string, Uint8Array>): string {
  return [...files.values()].map((bytes) => Buffer.from(bytes).toString()).join('\n');
}

/** Ids of the elements of some kinds, in all files, by kind and sorted. */
export function idsOf(files: ReadonlyMap<string, Uint8Array>, kind: string): string[] {
  return treesOf(files)
    .flatMap((tree) => [...tree.all(kind)].map(({ id }) => id))
    .sort();
}

export function treesOf(files: ReadonlyMap<string, Uint8Array>): Tree[] {
  return [...files.values()].map((bytes) => parseTree(Buffer.from(bytes).toString()));
}

const SEVERE = new Set(['ERROR', 'CRITICAL']);

/** Codes and messages of the ERROR and CRITICAL findings. */
export async function severeFindings(
  files: ReadonlyMap<string, Uint8Array>,
  context: Partial<ValidationContext> & { readonly xmlns: string },
  schemas?: SchemaSet,
): Promise<string[]> {
  const netexFiles = [...files].map(([name, bytes]): NetexFile => {
    return { name, kind: name.startsWith('_') ? 'common' : 'line', bytes };
  });
  const ids = new IdIndexBuilder(SEVERAL_FILES);
  const facts = new CommonFactsBuilder();
  for (const file of netexFiles) if (file.kind === 'common') addFileIds(file, ids, facts.reader());
  const complete: ValidationContext = {
    allowedXmlns: ['NSR', 'PEN'],
    profile: 'timetable',
    dataset: 'timetable',
    stopRegisterXmlns: 'NSR',
    commonIds: ids.build().bytes,
    commonFacts: facts.build(),
    ...context,
  };
  const results = new Map<string, FileResult>();
  for (const file of netexFiles) results.set(file.name, validateFile(file, complete, schemas));
  const read = async (name: string) => results.get(name) ?? assert.fail(name);
  const outcome = await validateDataset(
    { files: netexFiles, read },
    { dataset: 'timetable', today: '2026-11-21', ...(context.severities && { severities: context.severities }) },
  );
  const all = [...[...results.values()].flatMap(({ findings }) => findings), ...outcome.findings];
  return all
    .filter(({ severity }) => SEVERE.has(severity))
    .map(({ code, fileName, message }) => `${code} ${fileName}: ${message}`);
}

/** References without a target in the dataset, although their prefix belongs to it. */
export function danglingReferences(files: ReadonlyMap<string, Uint8Array>, xmlns: string): string[] {
  const trees = treesOf(files);
  const ids = new Set(trees.flatMap((tree) => [...tree.everything()].map(({ id }) => id)));
  return trees.flatMap((tree) =>
    [...tree.everything()].flatMap(({ name, attributes: { ref } }) =>
      ref?.startsWith(`${xmlns}:`) && !ids.has(ref) ? [`${name} ${ref}`] : [],
    ),
  );
}
