/**
 * What is new since the codespace's import before, what stayed and what is gone: a planner wants to see what the last
 * change of the data did.
 *
 * Callers: the activity that writes the report. A finding is the same when rule, file, element and message are, the
 * numbers of lines left out, so one that only moved is the same. Reads both reports as streams, the older one again only
 * when something is gone, and keeps hashes only; above {@link COMPARED_AT_MOST} findings on either side it compares
 * nothing and says so.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { IdHasher } from '../dataset/id-hash.ts';
import type { Finding } from '../finding.ts';
import type { ComparedFinding, ComparedImport, Comparison, RuleComparison } from './report-types.ts';

/** 20 bytes each. */
export const COMPARED_AT_MOST = 500_000;
/** Of those that are gone; their counts are complete. */
export const GONE_LISTED_PER_RULE = 50;
const GONE_LISTED = 2_000;

/** A report that can be read more than once, each time in the same order. */
export interface ComparableReport {
  readonly findingsPerRule: Readonly<Record<string, number>>;
  findings(): AsyncIterable<Finding>;
}

export interface ReportComparison {
  readonly comparison: Comparison;
  /** The findings of the report, in its order, with `new` said of each. */
  mark(findings: AsyncIterable<Finding>): AsyncGenerator<ComparedFinding>;
}

export async function compareReports(
  previous: ComparableReport & { readonly import: ComparedImport },
  current: ComparableReport,
): Promise<ReportComparison> {
  const counts = new RuleCounts();
  const before = await Identities.of(previous.findings());
  const now = before && (await Identities.of(current.findings(), before, counts));
  if (!before || !now) {
    const comparison = { with: previous.import, complete: false, perRule: {}, gone: [], partial: [] };
    return { comparison, mark: (findings) => findings as AsyncGenerator<ComparedFinding> };
  }
  const gone = now.othersMet < before.size ? await listGone(previous, now, counts) : [];
  const partial = [...before.cutCodes(previous), ...now.cutCodes(current)];
  return {
    comparison: {
      with: previous.import,
      complete: true,
      perRule: counts.perRule(),
      gone,
      partial: [...new Set(partial)].sort(),
    },
    mark: (findings) => markNew(findings, now),
  };
}

async function listGone(previous: ComparableReport, now: Identities, counts: RuleCounts): Promise<Finding[]> {
  const gone: Finding[] = [];
  for await (const finding of previous.findings()) {
    if (now.has(finding)) continue;
    const goneOfRule = counts.add(finding.code, 'gone');
    if (goneOfRule <= GONE_LISTED_PER_RULE && gone.length < GONE_LISTED) gone.push(plain(finding));
  }
  return gone;
}

async function* markNew(findings: AsyncIterable<Finding>, now: Identities): AsyncGenerator<ComparedFinding> {
  let place = 0;
  for await (const finding of findings) yield { ...finding, new: now.isNew(place++) };
}

/** As it was told then, but for what its own comparison said. */
function plain(finding: ComparedFinding): Finding {
  const { new: _new, ...rest } = finding;
  return rest;
}

type MutableCounts = { -readonly [Key in keyof RuleComparison]: number };

class RuleCounts {
  readonly #counts = new Map<string, MutableCounts>();

  /** Answers how many there are now. */
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

const POSITION = /\b(lines?|columns?) \d+/g;

/** Which findings a report has. */
class Identities {
  readonly #hashes = new HashSet();
  readonly #hasher = new IdHasher();
  readonly #listed = new Map<string, number>();
  /** By place in the report: 1 where the other report has it not. */
  #newOnes = new Uint8Array(1024);
  /** How many different findings of the other report this one has too. */
  othersMet = 0;

  /** Undefined when there are too many to keep. Given another report's, says of each whether it is new. */
  static async of(
    findings: AsyncIterable<Finding>,
    other?: Identities,
    counts?: RuleCounts,
  ): Promise<Identities | undefined> {
    const identities = new Identities();
    let total = 0;
    for await (const finding of findings) {
      if (++total > COMPARED_AT_MOST) return undefined;
      const isNew = identities.#add(finding, total - 1, other);
      if (other) counts?.add(finding.code, isNew ? 'new' : 'same');
    }
    return identities;
  }

  get size(): number {
    return this.#hashes.size;
  }

  has(finding: Finding): boolean {
    this.#hash(finding);
    return this.#hashes.has(this.#hasher.high, this.#hasher.low);
  }

  isNew(place: number): boolean {
    return this.#newOnes[place] === 1;
  }

  /** Rules of which the report has more than it lists. */
  cutCodes({ findingsPerRule }: ComparableReport): string[] {
    return Object.keys(findingsPerRule).filter((code) => (this.#listed.get(code) ?? 0) < (findingsPerRule[code] ?? 0));
  }

  #add(finding: Finding, place: number, other: Identities | undefined): boolean {
    const hasher = this.#hasher;
    this.#hash(finding);
    const first = this.#hashes.add(hasher.high, hasher.low);
    this.#listed.set(finding.code, (this.#listed.get(finding.code) ?? 0) + 1);
    if (!other) return false;
    const known = other.#hashes.has(hasher.high, hasher.low);
    if (known && first) this.othersMet++;
    if (place >= this.#newOnes.length) {
      const larger = new Uint8Array(this.#newOnes.length * 2);
      larger.set(this.#newOnes);
      this.#newOnes = larger;
    }
    this.#newOnes[place] = known ? 0 : 1;
    return !known;
  }

  #hash({ code, fileName, objectId, message }: Finding): void {
    this.#hasher.hash(`${code}\n${fileName ?? ''}\n${objectId ?? ''}\n${message.replace(POSITION, '$1')}`);
  }
}
