/**
 * The activities that compare a published version with the one before it: types only, implemented in
 * `activities/timetable`.
 */
import type { Codespace, CorrelationId } from '../shared/ids.ts';
import type { DatasetImportInput } from './messages.ts';

/** A version by its import. Instants are ISO 8601. */
export interface ComparedVersion {
  readonly correlationId: CorrelationId;
  readonly importKey: string;
  readonly receivedAt: string;
}

/** What is compared with what; decided once, so that every attempt writes the same. */
export interface ComparisonPlan {
  readonly kind: 'timetable' | 'stop-register';
  readonly version: ComparedVersion;
  readonly previous: ComparedVersion;
  /** Of the receipt, `yyyy-MM-dd`: earlier days are over. */
  readonly day: string;
  /** The published stop register, for timetables. */
  readonly stopRegister: {
    readonly codespace: Codespace;
    readonly correlationId: CorrelationId;
    readonly receivedAt: string;
  } | null;
}

/** Run as a local activity. */
export interface ComparisonRecords {
  /** `NOTHING`: there is no version before it, or the version is not visible any more. */
  planComparison(input: DatasetImportInput): Promise<ComparisonPlan | 'NOTHING'>;
}

/** On the queue `timetable-validation`. */
export interface ComparisonActivities {
  /** Writes the differences; does nothing when they are written already. */
  compareVersions(input: DatasetImportInput & ComparisonPlan): Promise<void>;
}
