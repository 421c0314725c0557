/**
 * Checks interchanges against the journeys and stops that they refer to, in any file.
 *
 * Callers: validateDataset. Takes a part of the interchanges at a time, in the order of file names. Reads all
 * extracts for each part, one file at a time: memory stays the same for any number of interchanges. A dataset without
 * interchanges costs nothing.
 */
import { FindingList, type SeverityChoice } from '../rules/finding-list.ts';
import type { Rule } from '../rules/rule.ts';
import { LISTED_PER_RULE } from '../validation-context.ts';
import type { FileFindings, ReadResult, SurveyedFile } from './file-survey.ts';
import { checkInterchange, type Verdict } from './timetable/check-interchange.ts';
import { TimetableExtract, WORDS_PER_INTERCHANGE } from './timetable/timetable-extract.ts';
import { WantedCalls } from './timetable/wanted-calls.ts';

/** With their journeys, calls and days a few tens of megabytes. */
const INTERCHANGES_PER_PASS = 20_000;

export interface InterchangeSearch {
  /** Ordered by name. */
  readonly files: readonly SurveyedFile[];
  readonly read: ReadResult;
  readonly context: SeverityChoice;
  readonly interchangesPerPass?: number;
}

/** Interchanges of one file that are checked together. */
interface Slice {
  readonly file: SurveyedFile;
  readonly from: number;
  readonly count: number;
}

export async function* checkInterchanges(search: InterchangeSearch): AsyncGenerator<FileFindings> {
  const allFilesRead = search.files.every(({ wasRead }) => wasRead);
  let open: { file: SurveyedFile; list: FindingList } | undefined;
  for (const part of partsOf(search.files, search.interchangesPerPass ?? INTERCHANGES_PER_PASS)) {
    const calls = await gatherCalls(search, part);
    let first = 0;
    for (const slice of part) {
      if (open?.file !== slice.file) {
        if (open && open.list.count > 0) yield findingsOf(open.list);
        open = { file: slice.file, list: new FindingList(slice.file.name, search.context) };
      }
      await checkSlice(search, slice, open.list, (number) =>
        checkInterchange(calls.feeder(first + number), calls.consumer(first + number), allFilesRead),
      );
      first += slice.count;
    }
  }
  if (open && open.list.count > 0) yield findingsOf(open.list);
}

function findingsOf(list: FindingList): FileFindings {
  return { counts: list.counts(), findings: list.listed() };
}

/** Each part has at most `most` interchanges. */
function* partsOf(files: readonly SurveyedFile[], most: number): Generator<Slice[]> {
  let part: Slice[] = [];
  let room = most;
  for (const file of files) {
    for (let from = 0; from < file.interchanges; ) {
      const count = Math.min(room, file.interchanges - from);
      part.push({ file, from, count });
      from += count;
      room -= count;
      if (room > 0) continue;
      yield part;
      part = [];
      room = most;
    }
  }
  if (part.length > 0) yield part;
}

async function gatherCalls({ files, read }: InterchangeSearch, part: readonly Slice[]): Promise<WantedCalls> {
  const total = part.reduce((sum, { count }) => sum + count, 0);
  const words = new Uint32Array(total * WORDS_PER_INTERCHANGE);
  let at = 0;
  for (const { file, from, count } of part) {
    const all = new TimetableExtract((await read(file.name)).timetable).words('interchanges');
    words.set(all.subarray(from * WORDS_PER_INTERCHANGE, (from + count) * WORDS_PER_INTERCHANGE), at);
    at += count * WORDS_PER_INTERCHANGE;
  }
  const calls = new WantedCalls(words);
  for (const { name, journeys, stopPoints } of files) {
    if (journeys + stopPoints === 0) continue;
    const extract = new TimetableExtract((await read(name)).timetable);
    if (stopPoints > 0) calls.takeStopPoints(extract);
    if (journeys > 0) calls.takeJourneys(extract);
  }
  return calls;
}

/** Builds messages and their texts only for findings that will be listed. */
async function checkSlice(
  { read }: InterchangeSearch,
  { file, from, count }: Slice,
  list: FindingList,
  check: (number: number) => readonly Verdict[],
): Promise<void> {
  const counts: Record<string, number> = { ...list.counts() };
  const toList: { number: number; verdicts: Verdict[] }[] = [];
  const unlisted = new Map<Rule, number>();
  for (let number = 0; number < count; number++) {
    const listed: Verdict[] = [];
    for (const verdict of check(number)) {
      const { code } = verdict.rule;
      counts[code] = (counts[code] ?? 0) + 1;
      if (counts[code] <= LISTED_PER_RULE) listed.push(verdict);
      else unlisted.set(verdict.rule, (unlisted.get(verdict.rule) ?? 0) + 1);
    }
    if (listed.length > 0) toList.push({ number: from + number, verdicts: listed });
  }
  if (toList.length > 0) {
    const extract = new TimetableExtract((await read(file.name)).timetable);
    const interchanges = extract.readInterchanges(toList.map(({ number }) => number));
    for (const [index, interchange] of interchanges.entries()) {
      const { id, line, column } = interchange;
      const place = { line, column, objectId: id === '' ? null : id };
      for (const { rule, message } of toList[index]?.verdicts ?? []) list.add(rule, place, () => message(interchange));
    }
  }
  for (const [rule, more] of unlisted) list.addUnlisted(rule, more);
}
