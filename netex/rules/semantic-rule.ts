/** A rule on the meaning of a timetable, as one row. Callers: the families of model checks. */
import type { Severity } from '../finding.ts';
import { defineSemanticRule, type Rule } from './rule.ts';

export function semanticRule(
  ...[code, severity, name, meaning, example, mend]: [string, Severity, string, string, string, string]
): Rule {
  return defineSemanticRule({ code, severity, name, meaning, example, mend });
}
