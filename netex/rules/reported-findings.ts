/**
 * Selects the findings of a file that are reported. After a CRITICAL one the file was not read further, so only it
 * and those of the schema remain.
 *
 * Caller: `validateFile`. A severity from configuration counts like the rule's own, in both directions.
 */
import type { Finding } from '../finding.ts';
import type { ValidationContext } from '../validation-context.ts';
import { findRule } from './catalogue.ts';
import { type FindingList, inReadingOrder, severityOf } from './finding-list.ts';

export interface ReportedFindings {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<string, number>>;
  /** True keeps the file out of the rules across files. */
  readonly critical: boolean;
}

/** `readToEnd` is false when the text stops being well-formed. */
export function reportedFindings(
  schema: FindingList,
  rules: FindingList,
  context: ValidationContext,
  readToEnd: boolean,
): ReportedFindings {
  const isCritical = (code: string): boolean => {
    const rule = findRule(code);
    return rule !== undefined && severityOf(rule, context) === 'CRITICAL';
  };
  const counts = { ...rules.counts(), ...schema.counts() };
  const critical = Object.keys(counts).filter(isCritical);
  if (critical.length === 0 && readToEnd) {
    return { findings: merge(schema, rules), counts: sorted(counts), critical: false };
  }
  const reported = [...Object.keys(schema.counts()), ...critical];
  return {
    findings: merge(schema, rules).filter(({ code }) => reported.includes(code)),
    counts: sorted(Object.fromEntries(Object.entries(counts).filter(([code]) => reported.includes(code)))),
    critical: true,
  };
}

function merge(schema: FindingList, rules: FindingList): Finding[] {
  if (schema.count === 0) return rules.listed();
  if (rules.count === 0) return schema.listed();
  return [...schema.listed(), ...rules.listed()].sort(inReadingOrder);
}

function sorted(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
