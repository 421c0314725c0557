/**
 * Finds line names that several line files use: DUPLICATE_LINE_NAME. The first file by name keeps the name; later
 * ones are reported. The hashes of all names are in memory; their text is read for files with something to list.
 *
 * Callers: validateDataset, which gives the results in the order of the files' names.
 */
import { DUPLICATE_LINE_NAME } from '../rules/dataset-rules.ts';
import { FindingList, type SeverityChoice } from '../rules/finding-list.ts';
import { LISTED_PER_RULE } from '../validation-context.ts';
import type { FileFindings, ReadResult } from './file-survey.ts';
import { HashSet } from './hash-set.ts';
import { TimetableExtract, WORDS_PER_ID } from './timetable/timetable-extract.ts';

interface RepeatedName {
  /** Number of the line in its file. */
  readonly number: number;
  readonly owner: string;
}

export class LineNames {
  readonly #names = new HashSet();
  readonly #owners: string[] = [];
  /** By file, in the order of reading. */
  readonly #repeated = new Map<string, RepeatedName[]>();

  take(fileName: string, extract: TimetableExtract): void {
    if (extract.lineCount === 0) return;
    const words = extract.words('lines');
    const repeated: RepeatedName[] = [];
    for (let at = 0; at < words.length; at += WORDS_PER_ID) {
      const [low, high] = [words[at] as number, words[at + 1] as number];
      if (this.#names.add(high, low)) {
        this.#owners.push(fileName);
        continue;
      }
      const owner = this.#owners[this.#names.find(high, low)] as string;
      if (owner !== fileName) repeated.push({ number: at / WORDS_PER_ID, owner });
    }
    if (repeated.length > 0) this.#repeated.set(fileName, repeated);
  }

  async *findDuplicates(read: ReadResult, context: SeverityChoice): AsyncGenerator<FileFindings> {
    for (const [fileName, repeated] of this.#repeated) {
      const list = new FindingList(fileName, context);
      const listed = repeated.slice(0, LISTED_PER_RULE);
      const lines = new TimetableExtract((await read(fileName)).timetable).readLines(
        listed.map(({ number }) => number),
      );
      for (const [index, { id, name, line, column }] of lines.entries()) {
        const place = { line, column, objectId: id === '' ? null : id };
        list.add(
          DUPLICATE_LINE_NAME,
          place,
          () =>
            `The line is named "${name}", as is a line of ${listed[index]?.owner}; expected names that tell lines apart.`,
        );
      }
      list.addUnlisted(DUPLICATE_LINE_NAME, repeated.length - listed.length);
      yield { counts: list.counts(), findings: list.listed() };
    }
  }
}
