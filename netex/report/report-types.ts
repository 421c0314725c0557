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
}

export interface Report extends ReportSummary {
  readonly findings: readonly Finding[];
}
