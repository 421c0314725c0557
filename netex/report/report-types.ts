/** The validation report as callers see it (JSON). */
import type { FileKind, Finding } from '../finding.ts';

export interface ReportFile {
  readonly name: string;
  readonly bytes: number;
  readonly kind: FileKind;
  readonly lines: number;
  readonly serviceJourneys: number;
}

export interface ReportSummary {
  readonly codespace: string;
  readonly correlationId: string;
  readonly importKey?: string;
  readonly fileName: string;
  /** ISO 8601 with offset. */
  readonly createdAt: string;
  readonly valid: boolean;
  readonly schemaVersions: readonly string[];
  readonly files: readonly ReportFile[];
  /** Complete counts, also where fewer findings are listed. */
  readonly findingsPerRule: Readonly<Record<string, number>>;
  /** Codes whose counting stopped at a limit; absent when none. */
  readonly capped?: readonly string[];
  /** With the codespace's import before; absent for the first. */
  readonly comparison?: Comparison;
}

export interface ComparedImport {
  readonly correlationId: string;
  readonly importKey: string;
  /** ISO 8601 with offset. */
  readonly createdAt: string;
}

/** Of the findings that are listed. */
export interface RuleComparison {
  readonly new: number;
  readonly same: number;
  readonly gone: number;
}

export interface Comparison {
  readonly with: ComparedImport;
  /** False when a report has too many findings to compare: nothing is said then. */
  readonly complete: boolean;
  /** Every rule that has findings now or had them before. */
  readonly perRule: Readonly<Record<string, RuleComparison>>;
  /** Findings of the other import that are there no more: at most 50 a rule, 2,000 of all. */
  readonly gone: readonly Finding[];
  /** Rules of which one of the reports does not list every finding: one of them may only seem new, or gone. */
  readonly partial: readonly string[];
}

export interface ComparedFinding extends Finding {
  /** Not in the import before; absent when there is nothing to compare with. */
  readonly new?: boolean;
}

export interface Report extends ReportSummary {
  readonly findings: readonly ComparedFinding[];
}
