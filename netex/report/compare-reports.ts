/**
 * Finds what is new since the codespace's previous import, what stayed and what is gone. It shows the effect of the
 * last change of the data.
 *
 * Callers: the activity that writes the report. Compares identities (`report-identities.ts`), so a finding that only
 * moved stays the same. Reads the older report itself only when something is gone. With too many findings on either
 * side it compares nothing and reports that.
 */
import type { HashSet } from '../dataset/hash-set.ts';
import type { Finding } from '../finding.ts';
import { FindingHasher, type ReportIdentities } from './report-identities.ts';
import type { ComparedFinding, ComparedImport, Comparison, RuleComparison } from './report-types.ts';

/** Gone findings that are listed; their counts are complete. */
export const GONE_LISTED_PER_RULE = 50;
const GONE_LISTED = 2_000;

export interface ComparableReport {
  readonly findingsPerRule: Readonly<Record<string, number>>;
  /** Undefined for a report with too many findings. */
  readonly identities: ReportIdentities | undefined;
}

export interface PreviousReport extends ComparableReport {
  readonly import: ComparedImport;
  findings(): AsyncIterable<Finding>;
}

export interface ReportComparison {
  readonly comparison: Comparison;
  /** The findings of the report, in order, each with `new` set. */
  mark(findings: AsyncIterable<Finding>): AsyncGenerator<ComparedFinding>;
}

export async function compareReports(previous: PreviousReport, current: ComparableReport): Promise<ReportComparison> {
  const [before, now] = [previous.identities, current.identities];
  if (!before || !now) {
    const comparison = { with: previous.import, complete: false, perRule: {}, gone: [], partial: [] };
    return { comparison, mark: (findings) => findings as AsyncGenerator<ComparedFinding> };
  }
  const counts = new RuleCounts();
  const [setBefore, setNow] = [before.toSet(), now.toSet()];
  const newOnes = new Uint8Array(now.count);
  for (let place = 0; place < now.count; place++) {
    const isNew = !now.isIn(setBefore, place);
    newOnes[place] = isNew ? 1 : 0;
    counts.add(now.codeAt(place), isNew ? 'new' : 'same');
  }
  const gone = holdsAll(setNow, before) ? [] : await listGone(previous, setNow, counts);
  const partial = new Set([...cutCodes(previous, before), ...cutCodes(current, now)]);
  return {
    comparison: {
      with: previous.import,
      complete: true,
      perRule: counts.perRule(),
      gone,
      partial: [...partial].sort(),
    },
    mark: (findings) => markNew(findings, newOnes),
  };
}

function holdsAll(set: HashSet, identities: ReportIdentities): boolean {
  for (let place = 0; place < identities.count; place++) {
    if (!identities.isIn(set, place)) return false;
  }
  return true;
}

async function listGone(previous: PreviousReport, now: HashSet, counts: RuleCounts): Promise<Finding[]> {
  const gone: Finding[] = [];
  const hasher = new FindingHasher();
  for await (const finding of previous.findings()) {
    const { high, low } = hasher.hash(finding);
    if (now.has(high, low)) continue;
    const goneOfRule = counts.add(finding.code, 'gone');
    if (goneOfRule <= GONE_LISTED_PER_RULE && gone.length < GONE_LISTED) gone.push(plain(finding));
  }
  return gone;
}

async function* markNew(findings: AsyncIterable<Finding>, newOnes: Uint8Array): AsyncGenerator<ComparedFinding> {
  let place = 0;
  for await (const finding of findings) yield { ...finding, new: newOnes[place++] === 1 };
}

/** The finding as first reported, without the fields of its own comparison. */
function plain(finding: ComparedFinding): Finding {
  const { new: _new, ...rest } = finding;
  return rest;
}

/** Rules with more findings than the report lists. */
function cutCodes({ findingsPerRule }: ComparableReport, identities: ReportIdentities): string[] {
  const listed = identities.listedPerRule();
  return Object.keys(findingsPerRule).filter((code) => (listed[code] ?? 0) < (findingsPerRule[code] ?? 0));
}

type MutableCounts = { -readonly [Key in keyof RuleComparison]: number };

class RuleCounts {
  readonly #counts = new Map<string, MutableCounts>();

  /** Returns the new count. */
  add(code: string, what: keyof RuleComparison): number {
    let rule = this.#counts.get(code);
    if (!rule) {
      rule = { new: 0, same: 0, gone: 0 };
      this.#counts.set(code, rule);
    }
    return ++rule[what];
  }

  perRule(): Record<string, RuleComparison> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
