/** The validation report as the API returns it (JSON). */
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
  /** Complete counts, also for rules with fewer listed findings. */
  readonly findingsPerRule: Readonly<Record<string, number>>;
  /** Codes whose count stopped at a limit; absent without any. */
  readonly capped?: readonly string[];
  /** Comparison with the codespace's previous import; absent for the first. */
  readonly comparison?: Comparison;
}

export interface ComparedImport {
  readonly correlationId: string;
  readonly importKey: string;
  /** ISO 8601 with offset. */
  readonly createdAt: string;
}

/** Counts listed findings only. */
export interface RuleComparison {
  readonly new: number;
  readonly same: number;
  readonly gone: number;
}

export interface Comparison {
  readonly with: ComparedImport;
  /** False when a report has too many findings to compare; the counts are then missing. */
  readonly complete: boolean;
  /** Every rule with findings now or before. */
  readonly perRule: Readonly<Record<string, RuleComparison>>;
  /** Findings of the other import that no longer occur: at most 50 a rule, 2,000 in all. */
  readonly gone: readonly Finding[];
  /** Rules for which one of the reports does not list every finding. A finding of these may only seem new or gone. */
  readonly partial: readonly string[];
}

export interface ComparedFinding extends Finding {
  /** Whether the previous import lacks the finding; absent when there is nothing to compare with. */
  readonly new?: boolean;
}

export interface Report extends ReportSummary {
  readonly findings: readonly ComparedFinding[];
}
