/**
 * A check over the whole timetable of a file, which runs after the last element.
 *
 * Callers: the rule files, listed as `modelChecks` in the catalogue; FileRun runs them after the plain checks.
 */
import type { RuleRun } from '../rules/check.ts';
import type { Rule } from '../rules/rule.ts';
import type { TimetableModel } from './timetable-model.ts';

export interface ModelCheck {
  /**
   * The rules it may report. It runs only when one of them applies, or always when the list is empty. Scope `all`
   * includes common files.
   */
  readonly rules: readonly Rule[];
  check(run: RuleRun, model: TimetableModel): void;
}
