/**
 * The last stage: rules across the files of a dataset, and the totals of all its results.
 *
 * Callers: the activity `validateDataset`; tests. Reads the results one at a time, each a few times over, so its memory
 * does not grow with the dataset: it holds totals, parts of the hashes and interchanges, and the findings that it will
 * list (at most 50 per rule and file, and FINDINGS_HELD of all). The order in which results were made or are listed
 * changes nothing.
 */
import { setImmediate } from 'node:timers/promises';
import type { FileResult } from '../file-result.ts';
import type { Finding, Severity } from '../finding.ts';
import { findRule } from '../rules/catalogue.ts';
import { NO_ACTIVE_JOURNEYS } from '../rules/facts.ts';
import { FindingList, inReadingOrder, type SeverityChoice, severityOf } from '../rules/finding-list.ts';
import { ERROR_VALIDATION_INCOMPLETE, ERROR_VALIDATION_NO_DATA, SYSTEM_ERROR } from '../rules/intake.ts';
import type { Rule } from '../rules/rule.ts';
import type { ValidationContext } from '../validation-context.ts';
import type { DatasetOutcome, DatasetSource } from './dataset-outcome.ts';
import { findDuplicateIds } from './duplicate-ids.ts';
import { type FileFindings, type ReadResult, type SurveyedFile, surveyFile } from './file-survey.ts';
import { countIdentifiers } from './identifiers.ts';
import { judgeInterchanges } from './interchanges.ts';
import { LineNames } from './line-names.ts';
import { TimetableExtract } from './timetable/timetable-extract.ts';

export interface DatasetContext extends SeverityChoice, Pick<ValidationContext, 'dataset'> {
  /** yyyy-MM-dd; a calendar that ended more than two days before it has nothing left to run. */
  readonly today: string;
  /** Ids held in memory at a time; for tests. */
  readonly idsPerPass?: number;
  /** The same of interchanges. */
  readonly interchangesPerPass?: number;
  /** FINDINGS_HELD, for tests. */
  readonly findingsHeld?: number;
}

const DAYS_KEPT = 2;
/** Across files, some ten megabytes; ten thousand files with fifty of each rule would be gigabytes. All are counted. */
export const FINDINGS_HELD = 50_000;

export async function validateDataset(source: DatasetSource, context: DatasetContext): Promise<DatasetOutcome> {
  const totals = new DatasetTotals(context);
  const files = source.files.toSorted(byKindAndName);
  // A source that has its results in memory answers at once: other work of the process gets its turn between files.
  const read = async (name: string) => {
    await setImmediate();
    return await source.read(name);
  };
  let idsTotal = 0;
  const lineNames = new LineNames();
  const surveyed: SurveyedFile[] = [];
  for (const { name } of files) {
    const result = await read(name);
    idsTotal += countIdentifiers(result.identifiers);
    totals.addFile(result);
    lineNames.take(name, new TimetableExtract(result.timetable));
    surveyed.push(surveyFile(result));
  }
  const { idsPerPass } = context;
  await totals.addAll(findDuplicateIds({ files, idsTotal, read, context, ...(idsPerPass ? { idsPerPass } : {}) }));
  if (context.dataset === 'timetable') await judgeTimetable(surveyed, lineNames, read, context, totals);
  if (files.length === 0) totals.addOfDataset(ERROR_VALIDATION_NO_DATA, NO_DATA);
  totals.addIfIncomplete();
  return totals.outcome();
}

async function judgeTimetable(
  files: readonly SurveyedFile[],
  lineNames: LineNames,
  read: ReadResult,
  context: DatasetContext,
  totals: DatasetTotals,
): Promise<void> {
  const { interchangesPerPass } = context;
  await totals.addAll(lineNames.findDuplicates(read, context));
  await totals.addAll(
    judgeInterchanges({ files, read, context, ...(interchangesPerPass ? { interchangesPerPass } : {}) }),
  );
}

const NO_DATA = 'The dataset holds no NeTEx file; expected at least one.';

function byKindAndName(a: { kind: string; name: string }, b: { kind: string; name: string }): number {
  return (a.kind === b.kind ? 0 : a.kind === 'common' ? -1 : 1) || (a.name < b.name ? -1 : 1);
}

class DatasetTotals {
  readonly #context: DatasetContext;
  readonly #files: Array<DatasetOutcome['files'][number]> = [];
  readonly #schemaVersions = new Set<string>();
  readonly #perRule = new Map<string, number>();
  readonly #capped = new Set<string>();
  readonly #findings: Finding[] = [];
  #lastDay: string | null = null;

  constructor(context: DatasetContext) {
    this.#context = context;
  }

  addFile(result: FileResult): void {
    const { name, kind, bytes, lines, serviceJourneys, schemaVersion, lastDay } = result;
    this.#files.push({ name, kind, bytes, lines, serviceJourneys });
    if (schemaVersion !== null) this.#schemaVersions.add(schemaVersion);
    if (lastDay !== null && (this.#lastDay === null || lastDay > this.#lastDay)) this.#lastDay = lastDay;
    this.add(result.counts, []);
    for (const code of result.capped) this.#capped.add(code);
  }

  add(counts: Readonly<Record<string, number>>, findings: readonly Finding[]): void {
    for (const [code, count] of Object.entries(counts)) this.#perRule.set(code, (this.#perRule.get(code) ?? 0) + count);
    const room = (this.#context.findingsHeld ?? FINDINGS_HELD) - this.#findings.length;
    this.#findings.push(...findings.slice(0, Math.max(0, room)));
  }

  async addAll(found: AsyncIterable<FileFindings>): Promise<void> {
    for await (const { counts, findings } of found) this.add(counts, findings);
  }

  addOfDataset(rule: Rule, message: string): void {
    const list = new FindingList(null, this.#context);
    list.add(rule, { line: null, column: null, objectId: null }, () => message);
    this.add(list.counts(), list.listed());
  }

  /** A file that broke off has that one finding, and hides what else there may be in it and across files. */
  addIfIncomplete(): void {
    const unread = this.#perRule.get(SYSTEM_ERROR.code) ?? 0;
    if (unread === 0) return;
    const which = `${unread} of ${this.#files.length} files`;
    this.addOfDataset(
      ERROR_VALIDATION_INCOMPLETE,
      `${which} could not be validated, so there may be more to find than this report says. Send the dataset again.`,
    );
  }

  outcome(): DatasetOutcome {
    const nothingLeftToRun = this.#nothingLeftToRun();
    if (nothingLeftToRun) {
      const message = `The last day of the calendar is ${this.#lastDay}; expected days from ${this.#context.today} on.`;
      this.addOfDataset(NO_ACTIVE_JOURNEYS, message);
    }
    const findingsPerSeverity = this.#perSeverity();
    return {
      valid: findingsPerSeverity.CRITICAL === 0 && findingsPerSeverity.ERROR === 0,
      schemaVersions: [...this.#schemaVersions].sort(),
      files: this.#files,
      findingsPerRule: Object.fromEntries([...this.#perRule].sort(([a], [b]) => (a < b ? -1 : 1))),
      findingsPerSeverity,
      capped: [...this.#capped].sort(),
      findings: this.#inOrderOfFiles(),
      nothingLeftToRun,
    };
  }

  #inOrderOfFiles(): Finding[] {
    const places = new Map(this.#files.map(({ name }, place) => [name, place]));
    const placeOf = ({ fileName }: Finding): number => places.get(fileName ?? '') ?? places.size;
    return this.#findings.toSorted((a, b) => placeOf(a) - placeOf(b) || inReadingOrder(a, b));
  }

  #nothingLeftToRun(): boolean {
    if (this.#context.dataset === 'stop-register' || this.#lastDay === null) return false;
    const oldest = new Date(`${this.#context.today}T00:00:00Z`);
    oldest.setUTCDate(oldest.getUTCDate() - DAYS_KEPT);
    return this.#lastDay < oldest.toISOString().slice(0, 10);
  }

  #perSeverity(): Record<Severity, number> {
    const perSeverity: Record<Severity, number> = { CRITICAL: 0, ERROR: 0, WARNING: 0, INFO: 0 };
    for (const [code, count] of this.#perRule) {
      const rule = findRule(code);
      if (!rule) throw new Error(`A result counts findings of ${code}, which is not in the catalogue of rules`);
      perSeverity[severityOf(rule, this.#context)] += count;
    }
    return perSeverity;
  }
}
