/**
 * Findings of one file: counts all, lists the first of each rule. Messages are built only for listed findings, so a
 * file with a million findings costs no more than the counting.
 */
import type { Finding, Severity } from '../finding.ts';
import { LISTED_PER_RULE, type ValidationContext } from '../validation-context.ts';
import { keptText } from '../xml/kept-text.ts';
import type { OpenElement } from '../xml/scan.ts';
import { PROFILE_SEVERITIES } from './profile-rules.ts';
import type { Rule } from './rule.ts';

/** Place of a finding: an open element, or a place noted earlier. */
export type Place = OpenElement | NotedPlace;

export interface NotedPlace {
  readonly line: number | null;
  readonly column: number | null;
  readonly objectId: string | null;
}

/** Copies the place, to keep it after the element has closed. */
export function notePlace(element: OpenElement): NotedPlace {
  const id = nearestId(element);
  return { line: element.line, column: element.column, objectId: id === null ? null : keptText(id) };
}

/** Id of the element, else of its nearest ancestor with one. */
export function nearestId(element: OpenElement): string | null {
  let current: OpenElement | undefined = element;
  while (current) {
    const id = current.attributes.id;
    if (id !== undefined) return id;
    current = current.parent;
  }
  return null;
}

/** The part of a context that determines severities. */
export type SeverityChoice = Pick<ValidationContext, 'severities'> & Partial<Pick<ValidationContext, 'profile'>>;

export function severityOf(rule: Rule, context: SeverityChoice): Severity {
  const { severities, profile } = context;
  return severities?.[rule.code] ?? (profile && PROFILE_SEVERITIES[profile][rule.code]) ?? rule.severity;
}

export class FindingList {
  readonly #fileName: string | null;
  readonly #context: SeverityChoice;
  readonly #limit: number;
  readonly #tallies = new Map<string, { count: number }>();
  readonly #findings: Finding[] = [];

  constructor(fileName: string | null, context: SeverityChoice, limit = LISTED_PER_RULE) {
    this.#fileName = fileName;
    this.#context = context;
    this.#limit = limit;
  }

  add(rule: Rule, place: Place, message: () => string): void {
    const tally = this.#tally(rule);
    tally.count++;
    if (tally.count > this.#limit) return;
    const noted = 'objectId' in place ? place : notePlace(place);
    this.#findings.push({
      code: rule.code,
      name: rule.name,
      severity: severityOf(rule, this.#context),
      message: shortened(message(), LONGEST_MESSAGE),
      objectId: noted.objectId === null ? null : shortened(noted.objectId, LONGEST_ID),
      fileName: this.#fileName,
      lineNumber: noted.line,
      columnNumber: noted.column,
    });
  }

  /** Counts a finding of a rule whose list is full; false when it is not full. Keeps mass findings cheap. */
  countBeyondList(rule: Rule): boolean {
    const tally = this.#tallies.get(rule.code);
    if (tally === undefined || tally.count < this.#limit) return false;
    tally.count++;
    return true;
  }

  /** Adds findings that are known only by number, without a place. */
  addUnlisted(rule: Rule, count: number): void {
    if (count > 0) this.#tally(rule).count += count;
  }

  #tally(rule: Rule): { count: number } {
    let tally = this.#tallies.get(rule.code);
    if (tally === undefined) {
      tally = { count: 0 };
      this.#tallies.set(rule.code, tally);
    }
    return tally;
  }

  /** Findings of all rules. */
  get count(): number {
    return [...this.#tallies.values()].reduce((sum, { count }) => sum + count, 0);
  }

  listed(): Finding[] {
    return this.#findings.toSorted(inReadingOrder);
  }

  counts(): Record<string, number> {
    const tallies = [...this.#tallies].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(tallies.map(([code, { count }]) => [code, count]));
  }
}

/** Keeps findings small whatever a file has in its ids and texts. */
const LONGEST_MESSAGE = 1500;
const LONGEST_ID = 300;

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Sorts by line, column and code, independent of the order of checks. */
export function inReadingOrder(a: Finding, b: Finding): number {
  return (
    (a.lineNumber ?? 0) - (b.lineNumber ?? 0) ||
    (a.columnNumber ?? 0) - (b.columnNumber ?? 0) ||
    (a.code < b.code ? -1 : a.code > b.code ? 1 : 0) ||
    (a.message < b.message ? -1 : a.message > b.message ? 1 : 0)
  );
}
