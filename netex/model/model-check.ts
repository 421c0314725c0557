/**
 * A check over the whole timetable of a file, which runs after the last element.
 *
 * Callers: the files of such rules, listed as `modelChecks` in the catalogue; FileRun runs them after the plain checks.
 */
import type { RuleRun } from '../rules/check.ts';
import type { Rule } from '../rules/rule.ts';
import type { TimetableModel } from './timetable-model.ts';

export interface ModelCheck {
  /** The rules it may report. It runs only where one of them applies, or always when there are none. Scope `all`: common files too. */
  readonly rules: readonly Rule[];
  check(run: RuleRun, model: TimetableModel): void;
}
