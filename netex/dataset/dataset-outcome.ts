/**
 * Input and output of the rules over a whole dataset. Results are read in the order of `files`, some of them twice,
 * so a source must return the same result each time. The outcome does not depend on who made the results or when.
 */

import type { FileResult } from '../file-result.ts';
import type { FileKind, Finding, Severity } from '../finding.ts';
import type { SeverityChoice } from '../rules/finding-list.ts';
import type { ValidationContext } from '../validation-context.ts';

export interface DatasetContext extends SeverityChoice, Pick<ValidationContext, 'dataset'> {
  /** yyyy-MM-dd; a calendar that ended more than two days earlier has no days left. */
  readonly today: string;
  /** Ids held in memory at a time; for tests. */
  readonly idsPerPass?: number;
  /** Interchanges held in memory at a time; for tests. */
  readonly interchangesPerPass?: number;
  /** FINDINGS_HELD, for tests. */
  readonly findingsHeld?: number;
}

export interface DatasetSource {
  /** In any order; the rules sort by kind and name. */
  readonly files: readonly DatasetFile[];
  read(fileName: string): Promise<FileResult>;
}

export interface DatasetFile {
  readonly name: string;
  readonly kind: FileKind;
}

export interface DatasetOutcome {
  /** No CRITICAL and no ERROR finding in any file or across files. */
  readonly valid: boolean;
  readonly schemaVersions: readonly string[];
  /** Common files first, then by name. */
  readonly files: ReadonlyArray<DatasetFile & { bytes: number; lines: number; serviceJourneys: number }>;
  /** All files and the rules across files together. */
  readonly findingsPerRule: Readonly<Record<string, number>>;
  readonly findingsPerSeverity: Readonly<Record<Severity, number>>;
  /** Codes whose count stopped at a limit. */
  readonly capped: readonly string[];
  /** Findings of the rules across files only, by file order, line and code; each file's own stay in its FileResult. */
  readonly findings: readonly Finding[];
  /** Every calendar of the dataset ended before the requested day. */
  readonly nothingLeftToRun: boolean;
}
