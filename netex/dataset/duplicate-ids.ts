/**
 * Finds ids used in several files: NETEX_ID_1 and NETEX_ID_10. Reads each file's hashes in passes that each hold one
 * part of them, so that memory stays the same for ten or forty million ids.
 *
 * The first file owns an id; later ones are reported. Common files come before line files, in descending order of
 * name (as in the reference validator); line files in ascending order. So the outcome depends on names alone. Names
 * are compared without their extension: `a.xml` owns what `a-copy.xml` repeats. The ids' text is unpacked only for
 * files with something to list.
 */

import { FindingList, type SeverityChoice } from '../rules/finding-list.ts';
import { NETEX_ID_1, NETEX_ID_10 } from '../rules/uniqueness.ts';
import { LISTED_PER_RULE } from '../validation-context.ts';
import type { DatasetFile } from './dataset-outcome.ts';
import type { FileFindings, ReadResult } from './file-survey.ts';
import { HashSet } from './hash-set.ts';
import { readIdentifierHashes, readIdentifiers } from './identifiers.ts';

/** About 120 MB while a pass runs. */
const IDS_PER_PASS = 4_000_000;

interface Duplicate {
  /** Number of the id in its file. */
  readonly number: number;
  /** The file that used the id first. */
  readonly owner: number;
}

interface FileDuplicates {
  count: number;
  /** Only the first findings of each pass are kept. */
  readonly first: Duplicate[];
}

function inReadingOrderOfFiles<T extends DatasetFile>(files: readonly T[]): T[] {
  const ascending = (a: T, b: T): number => compare(stemOf(a.name), stemOf(b.name)) || compare(a.name, b.name);
  const common = files.filter((file) => file.kind === 'common').toSorted((a, b) => ascending(b, a));
  return [...common, ...files.filter((file) => file.kind === 'line').toSorted(ascending)];
}

function stemOf(name: string): string {
  return name.replace(/\.xml$/i, '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface DuplicateSearch {
  readonly files: readonly DatasetFile[];
  readonly idsTotal: number;
  readonly read: ReadResult;
  readonly context: SeverityChoice;
  readonly idsPerPass?: number;
}

export async function* findDuplicateIds(search: DuplicateSearch): AsyncGenerator<FileFindings> {
  const files = inReadingOrderOfFiles(search.files);
  const passes = Math.max(1, Math.ceil(search.idsTotal / (search.idsPerPass ?? IDS_PER_PASS)));
  const perFile: FileDuplicates[] = files.map(() => ({ count: 0, first: [] }));
  for (let pass = 0; pass < passes; pass++) await searchPart(search, files, perFile, pass, passes);
  for (const [index, duplicates] of perFile.entries()) {
    const file = files[index];
    if (file && duplicates.count > 0) yield await describe(search, files, file, duplicates);
  }
}

async function searchPart(
  search: DuplicateSearch,
  files: readonly DatasetFile[],
  perFile: readonly FileDuplicates[],
  pass: number,
  passes: number,
): Promise<void> {
  const expected = Math.ceil(search.idsTotal / passes);
  const known = new HashSet(expected);
  let owners = new Uint32Array(Math.max(1024, Math.ceil(expected * 1.1)));
  for (const [fileIndex, file] of files.entries()) {
    const hashes = readIdentifierHashes((await search.read(file.name)).identifiers);
    const duplicates = perFile[fileIndex] as FileDuplicates;
    const firstOfPass = duplicates.first.length;
    for (let at = 0; at < hashes.length; at += 2) {
      const low = hashes[at] as number;
      const high = hashes[at + 1] as number;
      if (passes > 1 && high % passes !== pass) continue;
      const number = known.find(high, low);
      if (number < 0) {
        known.add(high, low);
        if (known.size > owners.length) owners = enlarged(owners);
        owners[known.size - 1] = fileIndex;
      } else {
        duplicates.count++;
        if (duplicates.first.length - firstOfPass < LISTED_PER_RULE) {
          duplicates.first.push({ number: at / 2, owner: owners[number] as number });
        }
      }
    }
  }
}

function enlarged(owners: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(owners.length * 2);
  larger.set(owners);
  return larger;
}

async function describe(
  search: DuplicateSearch,
  files: readonly DatasetFile[],
  file: DatasetFile,
  duplicates: FileDuplicates,
): Promise<FileFindings> {
  const rule = file.kind === 'common' ? NETEX_ID_10 : NETEX_ID_1;
  const listed = duplicates.first.toSorted((a, b) => a.number - b.number).slice(0, LISTED_PER_RULE);
  const { identifiers } = await search.read(file.name);
  const places = readIdentifiers(
    identifiers,
    listed.map(({ number }) => number),
  );
  const findings = new FindingList(file.name, search.context);
  for (const [index, { id, line, column }] of places.entries()) {
    const owner = files[listed[index]?.owner ?? 0]?.name;
    findings.add(rule, { line, column, objectId: id }, () => {
      return `${id} is also defined in ${owner}; expected each id in one file of the dataset.`;
    });
  }
  return { counts: { [rule.code]: duplicates.count }, findings: findings.listed() };
}
