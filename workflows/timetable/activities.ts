/**
 * What `datasetImport` asks of the world: types only, implemented in `activities/timetable`.
 *
 * Every function may run twice and two at once, with the same effect as one run. Arguments and results are ids, counts
 * and short texts: archives, manifests, per-file results and reports stay in the object store.
 */
import type { DatasetImportInput, ImportAction } from './messages.ts';

/** Findings of a dataset by severity, all files and the rules across them. */
export interface FindingCounts {
  readonly CRITICAL: number;
  readonly ERROR: number;
  readonly WARNING: number;
  readonly INFO: number;
}

/** Why an import ends FAILED. `message` is for the sender of the archive: what, where, what to do. */
export interface ImportFailure {
  readonly action: ImportAction;
  readonly errorCode: string;
  readonly message: string;
  readonly findings?: FindingCounts;
}

export interface StepResult {
  /** Small facts, shown on the events endpoint. */
  readonly details: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly findings?: FindingCounts;
}

/** One write to the import's document each; run as local activities. */
export interface ImportRecords {
  /** `ALREADY_ENDED` when the import was OK or FAILED before: nothing was written. */
  startStep(input: DatasetImportInput, action: ImportAction): Promise<'STARTED' | 'ALREADY_ENDED'>;
  finishStep(input: DatasetImportInput, action: ImportAction, result: StepResult): Promise<void>;
  /** Answers how the import stands afterwards: `OK` when it was published before the failure arrived, which then is void. */
  failImport(input: DatasetImportInput, failure: ImportFailure): Promise<'FAILED' | 'OK'>;
  /** Makes the version visible, and the import OK, in one write. */
  publishImport(input: DatasetImportInput): Promise<void>;
}

/** The archive was accepted. `manifestId` is a hash of the manifest, so whoever holds it can only read that very one. */
export interface ClassifiedDataset {
  readonly outcome: 'accepted';
  readonly manifestId: string;
  readonly kind: 'timetable' | 'stop-register';
  readonly filesTotal: number;
  readonly batchesTotal: number;
  readonly unpackedBytes: number;
  /** What beside XML the archive holds and nobody reads; absent when there is none. */
  readonly ignored?: { readonly ignoredFiles: number; readonly ignoredNames: readonly string[] };
}

export interface RefusedDataset {
  readonly outcome: 'refused';
  readonly errorCode: string;
  readonly message: string;
}

/** On the queue `timetable`. */
export interface DatasetActivities {
  /** Reads the whole archive once, decides what it is, writes the manifest that all later steps go by. */
  classifyDataset(input: DatasetImportInput): Promise<ClassifiedDataset | RefusedDataset>;
  /** Deletes the working files. The import is final by then. */
  removeWorkFiles(input: DatasetImportInput): Promise<void>;
}

/** Which dataset, by which manifest. */
export interface ManifestInput extends DatasetImportInput {
  readonly manifestId: string;
}

export interface BatchInput extends ManifestInput {
  /** Index into the manifest's batches. */
  readonly batch: number;
}

export interface ValidatedDataset {
  readonly valid: boolean;
  readonly findings: FindingCounts;
}

/** On the queue `timetable-validation`: long, CPU-bound, with heartbeats. */
export interface ValidationActivities {
  /** Collects the ids of the common files, which every file may refer to. */
  indexCommonFiles(input: ManifestInput): Promise<void>;
  /** Validates one batch of files, common or line; goes on behind the files that an earlier attempt finished. */
  validateFiles(input: BatchInput): Promise<{ readonly files: number }>;
  /** The rules across files; writes the report. */
  validateDataset(input: ManifestInput): Promise<ValidatedDataset>;
  /** Writes the id index by which other datasets refer to this stop register. */
  indexStopRegister(input: ManifestInput): Promise<void>;
}

/** Failure type of an activity that has given up: running it again would end the same way. */
export const GAVE_UP = 'GAVE_UP';
/** Failure type of an activity that met an archive its sender must cure; the first detail is the error code. */
export const ARCHIVE_REFUSED = 'ARCHIVE_REFUSED';
