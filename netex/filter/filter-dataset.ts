/**
 * Filters a dataset by time, content and use. Reads it once for facts, decides, then reads the kept files again while
 * writing. Callers: the export of private datasets, the planner's importer, dev/netex-filter.ts.
 *
 * Never holds a file's text: the facts are lists of integers, and the copy is made chunk by chunk.
 */
import { XmlDecoder } from '../xml/decode.ts';
import { type Archive, type ArchiveEntry, streamEntry } from '../zip/index.ts';
import type { DatasetFacts, LineNames } from './dataset-facts.ts';
import { Decision } from './decision.ts';
import { FactCollector } from './fact-collector.ts';
import { FileCopier } from './file-copier.ts';
import { nameFiles } from './file-names.ts';
import { countEntities } from './filter-counts.ts';
import type { FilterOutcome, FilterRequest, FilterSink } from './filter-types.ts';
import { type FilterWindow, filterWindow } from './filter-window.ts';
import { Walker, type WalkMark } from './walker.ts';
import { zipStream } from './zip-writer.ts';

interface ReadFile {
  readonly entry: ArchiveEntry;
  readonly number: number;
  /** Start of the file's numbers. */
  readonly mark: WalkMark;
}

interface FileToWrite extends ReadFile {
  readonly name: string;
}

interface Filtering extends FilterRequest {
  readonly window: FilterWindow;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Throws RangeError for an invalid day, ArchiveError and NotWellFormedError for an archive that cannot be read. */
export async function filterDataset(request: FilterRequest, sink: FilterSink): Promise<FilterOutcome> {
  const filtering: Filtering = { ...request, window: filterWindow(request.day) };
  const { facts, files } = await collectFacts(filtering);
  const decision = new Decision(facts, filtering.window, request.mode);
  const counts = countEntities(facts, decision);
  const chosen = counts.runs > 0 ? chooseFiles(request.xmlns, files, facts, decision) : [];
  const chosenNumbers = new Set(chosen.map(({ number }) => number));
  const written = new Map<number, number>();
  const cutReferences = new Map<string, number>();
  if (chosen.length > 0) {
    const countCut = (name: string): unknown => cutReferences.set(name, (cutReferences.get(name) ?? 0) + 1);
    const entries = chosen.map((file) => ({
      name: file.name,
      read: () => copyFile(filtering, file, decision, { countCut, countBytes: (n) => written.set(file.number, n) }),
    }));
    await sink(zipStream(entries));
  }
  return {
    empty: chosen.length === 0,
    files: chosen.map(({ name, entry, number }) => ({ name, from: entry.name, bytes: written.get(number) ?? 0 })),
    droppedFiles: files.filter(({ number }) => !chosenNumbers.has(number)).map(({ entry }) => entry.name),
    kept: counts.kept,
    dropped: counts.dropped,
    cutReferences: Object.fromEntries([...cutReferences].sort()),
  };
}

async function collectFacts(filtering: Filtering): Promise<{ facts: DatasetFacts; files: ReadFile[] }> {
  const { archive, mode, signal } = filtering;
  const collector = new FactCollector(mode === 'public');
  const walker = new Walker(mode, collector);
  const files: ReadFile[] = [];
  for (const entry of archive.entries) {
    const { mark } = walker;
    collector.beginFile(entry.kind === 'common');
    walker.beginFile();
    files.push({ entry, mark, number: walker.fileNumber });
    for await (const text of entryText(archive, entry, signal)) walker.write(text);
    walker.endFile();
    collector.endFile();
  }
  collector.endDataset();
  return { facts: collector.facts, files };
}

/** Files with kept content: common files first, then by name. */
function chooseFiles(xmlns: string, files: ReadFile[], facts: DatasetFacts, decision: Decision): FileToWrite[] {
  const kept = files.filter(({ number }) => decision.isKept(number));
  const lineOf = new Map<number, LineNames>();
  for (const line of facts.lines.toReversed()) {
    if (decision.isKept(line.number)) lineOf.set(facts.file.get(line.number), line);
  }
  const named = kept.map(({ entry, number }) => ({
    from: entry.name,
    isCommon: entry.kind === 'common',
    line: lineOf.get(number),
  }));
  const names = nameFiles(xmlns, named);
  const result = kept.map((file, place) => ({ ...file, name: names[place] as string }));
  return result.sort((a, b) => {
    const byKind = Number(a.entry.kind === 'line') - Number(b.entry.kind === 'line');
    return byKind || (a.name < b.name ? -1 : 1);
  });
}

interface CopyCounters {
  countCut(name: string): unknown;
  countBytes(bytes: number): unknown;
}

async function* copyFile(
  { archive, mode, window, signal }: Filtering,
  file: FileToWrite,
  decision: Decision,
  counters: CopyCounters,
): AsyncGenerator<Uint8Array> {
  const copier = new FileCopier(decision, window, counters.countCut);
  const walker = new Walker(mode, copier);
  let bytes = 0;
  const give = (text: string): Buffer => {
    const chunk = Buffer.from(text);
    bytes += chunk.length;
    return chunk;
  };
  yield give(DECLARATION);
  walker.beginFile(file.mark);
  for await (const text of entryText(archive, file.entry, signal)) {
    walker.write(text);
    const copied = copier.take(walker);
    if (copied !== '') yield give(copied);
  }
  walker.endFile();
  yield give(copier.take(walker));
  counters.countBytes(bytes);
}

async function* entryText(archive: Archive, entry: ArchiveEntry, signal?: AbortSignal): AsyncGenerator<string> {
  const decoder = new XmlDecoder();
  for await (const chunk of streamEntry(archive, entry, { signal })) yield decoder.write(chunk);
  yield decoder.end();
}
