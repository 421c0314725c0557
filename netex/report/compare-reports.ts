/**
 * What is new since the codespace's import before, what stayed and what is gone: a planner wants to see what the last
 * change of the data did.
 *
 * Callers: the activity that writes the report. A finding is the same when rule, file, element and message are, the
 * numbers of lines left out, so one that only moved is the same. Reads both reports as streams and keeps hashes only;
 * above {@link COMPARED_AT_MOST} findings on either side it compares nothing and says so.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { IdHasher } from '../dataset/id-hash.ts';
import type { Finding } from '../finding.ts';
import type { ComparedFinding, ComparedImport, Comparison, RuleComparison } from './report-types.ts';

/** 20 bytes each. */
export const COMPARED_AT_MOST = 500_000;
/** Of those that are gone; their counts are complete. */
export const GONE_LISTED_PER_RULE = 50;
export const GONE_LISTED = 2_000;

/** A report that can be read more than once. */
export interface ComparableReport {
  readonly findingsPerRule: Readonly<Record<string, number>>;
  findings(): AsyncIterable<Finding>;
}

export interface ReportComparison {
  readonly comparison: Comparison;
  /** The findings with `new` said of each. */
  mark(findings: AsyncIterable<Finding>): AsyncGenerator<ComparedFinding>;
}

export async function compareReports(
  previous: ComparableReport & { readonly import: ComparedImport },
  current: ComparableReport,
): Promise<ReportComparison> {
  const before = await Identities.of(previous.findings());
  const now = before && (await Identities.of(current.findings()));
  if (!before || !now) {
    const comparison = { with: previous.import, complete: false, perRule: {}, gone: [], partial: [] };
    return { comparison, mark: (findings) => findings as AsyncGenerator<ComparedFinding> };
  }
  const counts = new Map<string, RuleComparison>();
  const listed = { now: new Map<string, number>(), before: new Map<string, number>() };
  for await (const finding of current.findings()) {
    count(counts, finding.code, before.has(finding) ? 'same' : 'new');
    listed.now.set(finding.code, (listed.now.get(finding.code) ?? 0) + 1);
  }
  const gone: Finding[] = [];
  for await (const finding of previous.findings()) {
    listed.before.set(finding.code, (listed.before.get(finding.code) ?? 0) + 1);
    if (now.has(finding)) continue;
    const goneOfRule = count(counts, finding.code, 'gone');
    if (goneOfRule <= GONE_LISTED_PER_RULE && gone.length < GONE_LISTED) gone.push(plain(finding));
  }
  const partial = [...cutCodes(current, listed.now), ...cutCodes(previous, listed.before)];
  return {
    comparison: {
      with: previous.import,
      complete: true,
      perRule: Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
      gone,
      partial: [...new Set(partial)].sort(),
    },
    mark: (findings) => markNew(findings, before),
  };
}

async function* markNew(findings: AsyncIterable<Finding>, before: Identities): AsyncGenerator<ComparedFinding> {
  for await (const finding of findings) yield { ...finding, new: !before.has(finding) };
}

/** As it was told then, but for what its own comparison said. */
function plain(finding: ComparedFinding): Finding {
  const { new: _new, ...rest } = finding;
  return rest;
}

function cutCodes({ findingsPerRule }: ComparableReport, listed: ReadonlyMap<string, number>): string[] {
  return Object.keys(findingsPerRule).filter((code) => (listed.get(code) ?? 0) < (findingsPerRule[code] ?? 0));
}

function count(counts: Map<string, RuleComparison>, code: string, what: keyof RuleComparison): number {
  const rule = counts.get(code) ?? { new: 0, same: 0, gone: 0 };
  const next = { ...rule, [what]: rule[what] + 1 };
  counts.set(code, next);
  return next[what];
}

const POSITION = /\b(lines?|columns?) \d+/g;

class Identities {
  readonly #hashes = new HashSet();
  readonly #hasher = new IdHasher();

  /** Undefined when there are too many to keep. */
  static async of(findings: AsyncIterable<Finding>): Promise<Identities | undefined> {
    const identities = new Identities();
    let total = 0;
    for await (const finding of findings) {
      if (++total > COMPARED_AT_MOST) return undefined;
      identities.#hash(finding);
      identities.#hashes.add(identities.#hasher.high, identities.#hasher.low);
    }
    return identities;
  }

  has(finding: Finding): boolean {
    this.#hash(finding);
    return this.#hashes.has(this.#hasher.high, this.#hasher.low);
  }

  #hash({ code, fileName, objectId, message }: Finding): void {
    this.#hasher.hash(`${code}\n${fileName ?? ''}\n${objectId ?? ''}\n${message.replace(POSITION, '$1')}`);
  }
}
