/** The shared real data: datasets with their codespace, and the findings of the reference validator. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addFileIds, SEVERAL_FILES } from '../../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../../netex/dataset/id-index.ts';
import { CommonFactsBuilder } from '../../../netex/model/common-facts.ts';
import type { NetexFile, ValidationContext } from '../../../netex/validation-context.ts';
import { bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive, readEntry } from '../../../netex/zip/index.ts';

type Row = Readonly<Record<string, string>>;

export function readTsv(path: string): Row[] {
  const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const columns = head.split('\t');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((value, index) => [columns[index] ?? '', value])));
}

/** Files of an archive, common ones first; a single XML file is a dataset of one. Undefined for other archives. */
export async function readDataset(path: string): Promise<NetexFile[] | undefined> {
  const bytes = new Uint8Array(readFileSync(path));
  if (path.endsWith('.xml')) return [named(basename(path), bytes)];
  try {
    const archive = await openArchive(bufferRangeReader(bytes), DEFAULT_ARCHIVE_LIMITS);
    const files: NetexFile[] = [];
    for (const entry of archive.entries) files.push(named(entry.name, await readEntry(archive, entry)));
    return files;
  } catch {
    return undefined;
  }
}

export function contextOf(source: Row, files: readonly NetexFile[]): ValidationContext {
  const builder = new IdIndexBuilder(SEVERAL_FILES);
  const facts = new CommonFactsBuilder();
  for (const file of files) if (file.kind === 'common') addFileIds(file, builder, facts.reader());
  return {
    xmlns: source.codespace === '-' ? 'ENT' : (source.codespace ?? '').toUpperCase(),
    allowedXmlns: ['NSR', 'PEN'],
    profile: 'timetable',
    dataset: source.codespace === 'nsr' ? 'stop-register' : 'timetable',
    stopRegisterXmlns: 'NSR',
    commonIds: builder.build().bytes,
    commonFacts: facts.build(),
  };
}

export interface SharedDataset {
  readonly source: Row;
  readonly path: string;
}

export function sharedDatasets(shared: string): SharedDataset[] {
  const folder = join(shared, 'netex', 'data');
  return readTsv(join(folder, 'SOURCES.tsv')).map((source) => ({ source, path: join(folder, source.file ?? '') }));
}

function named(name: string, bytes: Uint8Array): NetexFile {
  return { name, kind: name.startsWith('_') ? 'common' : 'line', bytes };
}
