/**
 * A check that joins elements: it judges the whole timetable of a file, after the last element.
 *
 * Callers: the files of such rules, listed as `modelChecks` in the catalogue; FileRun runs them after the plain checks.
 */
import type { RuleRun } from '../rules/check.ts';
import type { Rule } from '../rules/rule.ts';
import type { TimetableModel } from './timetable-model.ts';

export interface ModelCheck {
  /** Those it may report; it does not run for a file where none of them applies; none: always. Scope `all`: common files too. */
  readonly rules: readonly Rule[];
  judge(run: RuleRun, model: TimetableModel): void;
}
