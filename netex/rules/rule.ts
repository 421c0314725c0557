/** A rule as people know it: a row of the catalogue. What watches for it is a check (check.ts). */
import type { FileKind, Severity } from '../finding.ts';
import type { DatasetKind, Profile } from '../validation-context.ts';
import { profilesRunning } from './profile-rules.ts';

export type RuleStage = '0-intake' | '1-schema' | '2-structure' | '2-ids' | '3-semantic' | '4-dataset' | 'any';
export type RuleScope = FileKind | 'all' | 'archive';

export interface Rule {
  /** Stable: part of the interface. */
  readonly code: string;
  readonly severity: Severity;
  /** For people, a few words. */
  readonly name: string;
  /** One sentence: when it is broken. */
  readonly meaning: string;
  /** Which files it looks at. */
  readonly scope: RuleScope;
  readonly stage: RuleStage;
  readonly profiles: readonly Profile[];
  readonly datasets: readonly DatasetKind[];
  /** A piece of NeTEx, or a sentence, that breaks it. */
  readonly example: string;
  /** What the producer of the data should do. */
  readonly mend: string;
}

const EVERY_DATASET: readonly DatasetKind[] = ['timetable', 'stop-register'];

type Defaulted = 'scope' | 'profiles' | 'datasets';

/** A rule of all files, of all profiles that do not leave it out, and of all kinds of dataset unless it says less. */
export function defineRule(rule: Omit<Rule, Defaulted> & Partial<Pick<Rule, Defaulted>>): Rule {
  return { scope: 'all', profiles: profilesRunning(rule.code), datasets: EVERY_DATASET, ...rule };
}

/** A rule on what a timetable's elements must hold. */
export function defineStructureRule(
  rule: Omit<Rule, Defaulted | 'stage'> & Partial<Pick<Rule, 'scope' | 'profiles'>>,
): Rule {
  return defineRule({ stage: '2-structure', datasets: ['timetable'], ...rule });
}

/** A rule on what a timetable means: times, places, journeys together. */
export function defineSemanticRule(
  rule: Omit<Rule, Defaulted | 'stage'> & Partial<Pick<Rule, 'scope' | 'profiles'>>,
): Rule {
  return defineRule({ stage: '3-semantic', datasets: ['timetable'], ...rule });
}

/** The same in one row, for the families of line files. */
export function lineFileRule(
  ...[code, severity, name, meaning, example, mend]: [string, Severity, string, string, string, string]
): Rule {
  return defineStructureRule({ code, severity, name, meaning, example, mend, scope: 'line' });
}
