/**
 * Sums up a dataset once all its results have been read: counts of every rule, findings across files, validity.
 * Callers: validateDataset.
 */
import type { FileResult } from '../file-result.ts';
import type { Finding, Severity } from '../finding.ts';
import { findRule } from '../rules/catalogue.ts';
import { NO_ACTIVE_JOURNEYS } from '../rules/facts.ts';
import { FindingList, inReadingOrder, severityOf } from '../rules/finding-list.ts';
import { ERROR_VALIDATION_INCOMPLETE, SYSTEM_ERROR } from '../rules/intake.ts';
import type { Rule } from '../rules/rule.ts';
import type { DatasetContext, DatasetOutcome } from './dataset-outcome.ts';
import type { FileFindings } from './file-survey.ts';

const DAYS_KEPT = 2;
/**
 * Findings across files that are kept, some ten megabytes. Ten thousand files with fifty findings of each rule would
 * take gigabytes. All are counted.
 */
export const FINDINGS_HELD = 50_000;

export class DatasetTotals {
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
    this.#count(result.counts);
    for (const code of result.capped) this.#capped.add(code);
  }

  add(counts: Readonly<Record<string, number>>, findings: readonly Finding[]): void {
    this.#count(counts);
    const room = (this.#context.findingsHeld ?? FINDINGS_HELD) - this.#findings.length;
    this.#findings.push(...findings.slice(0, Math.max(0, room)));
  }

  async addAll(found: AsyncIterable<FileFindings>): Promise<void> {
    for await (const { counts, findings } of found) this.add(counts, findings);
  }

  /** A finding about the whole dataset; it is always listed. */
  addOfDataset(rule: Rule, message: string): void {
    const list = new FindingList(null, this.#context);
    list.add(rule, { line: null, column: null, objectId: null }, () => message);
    this.#count(list.counts());
    this.#findings.push(...list.listed());
  }

  /** Reports that some files were not validated, so that other problems may be hidden. */
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

  #count(counts: Readonly<Record<string, number>>): void {
    for (const [code, count] of Object.entries(counts)) this.#perRule.set(code, (this.#perRule.get(code) ?? 0) + count);
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
