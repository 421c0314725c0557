/** A rule as people know it: a row of the catalogue. A check (check.ts) looks for breaches. */
import type { FileKind, Severity } from '../finding.ts';
import type { DatasetKind, Profile } from '../validation-context.ts';
import { profilesRunning } from './profile-rules.ts';

export type RuleStage = '0-intake' | '1-schema' | '2-structure' | '2-ids' | '3-semantic' | '4-dataset' | 'any';
export type RuleScope = FileKind | 'all' | 'archive';

export interface Rule {
  /** Stable: part of the API. */
  readonly code: string;
  readonly severity: Severity;
  /** Readable name, a few words. */
  readonly name: string;
  /** One sentence: when the rule is broken. */
  readonly meaning: string;
  /** The files that the rule applies to. */
  readonly scope: RuleScope;
  readonly stage: RuleStage;
  readonly profiles: readonly Profile[];
  readonly datasets: readonly DatasetKind[];
  /** A piece of NeTEx, or a sentence, that breaks the rule. */
  readonly example: string;
  /** The next step of the data's producer. */
  readonly mend: string;
}

const EVERY_DATASET: readonly DatasetKind[] = ['timetable', 'stop-register'];

type Defaulted = 'scope' | 'profiles' | 'datasets';

/**
 * Defines a rule. By default it applies to all files, all kinds of dataset, and all profiles that do not leave it
 * out.
 */
export function defineRule(rule: Omit<Rule, Defaulted> & Partial<Pick<Rule, Defaulted>>): Rule {
  return { scope: 'all', profiles: profilesRunning(rule.code), datasets: EVERY_DATASET, ...rule };
}

/** A rule on the required content of a timetable's elements. */
export function defineStructureRule(
  rule: Omit<Rule, Defaulted | 'stage'> & Partial<Pick<Rule, 'scope' | 'profiles'>>,
): Rule {
  return defineRule({ stage: '2-structure', datasets: ['timetable'], ...rule });
}

/** A rule on the meaning of a timetable: times, places, journeys together. */
export function defineSemanticRule(
  rule: Omit<Rule, Defaulted | 'stage'> & Partial<Pick<Rule, 'scope' | 'profiles'>>,
): Rule {
  return defineRule({ stage: '3-semantic', datasets: ['timetable'], ...rule });
}

/** The same as one row, for the families of line files. */
export function lineFileRule(
  ...[code, severity, name, meaning, example, mend]: [string, Severity, string, string, string, string]
): Rule {
  return defineStructureRule({ code, severity, name, meaning, example, mend, scope: 'line' });
}
