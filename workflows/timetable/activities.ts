/**
 * The activities of `datasetImport`: types only, implemented in `activities/timetable`.
 *
 * Every function may run twice and two at once, with the same effect as one run. Arguments and results are ids, counts
 * and short texts: archives, manifests, per-file results and reports stay in the object store.
 */
import type { Codespace } from '../shared/ids.ts';
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

/** Why a published import leaves a later step undone; it is OK all the same. */
export interface StepLeftUndone {
  readonly action: ImportAction;
  /** `CANCELLED` unless it was tried and failed. */
  readonly state?: 'FAILED';
  readonly errorCode: string;
  readonly message: string;
}

/** One write to the import's document each; run as local activities. */
export interface ImportRecords {
  /**
   * `ALREADY_ENDED` when the import was OK or FAILED before. `PUBLISHED` when an earlier run has published it, so that
   * the steps up to there are done. In both cases nothing was written.
   */
  startStep(input: DatasetImportInput, action: ImportAction): Promise<'STARTED' | 'PUBLISHED' | 'ALREADY_ENDED'>;
  finishStep(input: DatasetImportInput, action: ImportAction, result: StepResult): Promise<void>;
  /** Shown with a step that goes on. */
  noteStep(input: DatasetImportInput, action: ImportAction, result: StepResult): Promise<void>;
  /** Answers the import's state afterwards: `OK` when it was published before the failure arrived, which then has no effect. */
  failImport(input: DatasetImportInput, failure: ImportFailure): Promise<'FAILED' | 'OK'>;
  /** Makes the version visible, in one write; the import goes on. */
  publishImport(input: DatasetImportInput): Promise<void>;
  /** OK: every step is done, but for those named. */
  completeImport(input: DatasetImportInput, ...undone: readonly (StepLeftUndone | undefined)[]): Promise<void>;
  /** The day to filter the private dataset for, `yyyy-MM-dd`; or that there is no need to. */
  planPrivateExport(input: DatasetImportInput): Promise<{ readonly day: string } | 'DONE' | 'WITHDRAWN'>;
  /** The day of this instant, `yyyy-MM-dd`, where the timetables are run. */
  serviceDay(input: { readonly instant: string }): Promise<string>;
}

/** The archive was accepted. `manifestId` is a hash of the manifest, so it can only name that very manifest. */
export interface ClassifiedDataset {
  readonly outcome: 'accepted';
  readonly manifestId: string;
  readonly kind: 'timetable' | 'stop-register';
  readonly filesTotal: number;
  readonly batchesTotal: number;
  readonly unpackedBytes: number;
  /** Files beside XML, which are not read; absent when there are none. */
  readonly ignored?: { readonly ignoredFiles: number; readonly ignoredNames: readonly string[] };
}

export interface RefusedDataset {
  readonly outcome: 'refused';
  readonly errorCode: string;
  readonly message: string;
}

/** Which published dataset to filter, and for which day: `yyyy-MM-dd`. */
export interface PrivateExportInput extends DatasetImportInput {
  readonly day: string;
}

/** One archive that was written for that day. Nobody sees it before it is shown. */
export interface PrivateExport extends PrivateExportInput {
  readonly exportId: string;
}

/** The uploaded archive, or a private one made of it. */
export interface ArchiveInput extends DatasetImportInput {
  readonly privateExport?: { readonly exportId: string; readonly day: string };
}

/** Which private datasets are to be made again. */
export interface StaleExportsQuery {
  /** Filtered for an earlier day than this one. */
  readonly day: string;
  /** Behind this codespace. */
  readonly after: Codespace | null;
  /** Absent: of every codespace. */
  readonly codespaces?: readonly Codespace[];
  readonly limit: number;
}

/** On the queue `timetable`. */
export interface DatasetActivities {
  /** Reads the whole archive once, decides what it is, writes the manifest that all later steps go by. */
  classifyDataset(input: ArchiveInput): Promise<ClassifiedDataset | RefusedDataset>;
  /**
   * Deletes the working files. No step that needs them is left. With `runId`, only those of private datasets that this run
   * has made: another may be making one of the same version.
   */
  removeWorkFiles(input: DatasetImportInput & { readonly runId?: string }): Promise<void>;
}

/** Activities for the outcome of exports; on the queue `timetable` too. */
export interface PrivateDatasetActivities {
  /**
   * The export becomes the version's private dataset, in one write. `NOT_NEWER`: it has one of this day or a later one;
   * `WITHDRAWN`: the version is not visible any more.
   */
  showPrivateExport(input: PrivateExport): Promise<'SHOWN' | 'NOT_NEWER' | 'WITHDRAWN'>;
  /** Deletes an export that is not shown. */
  discardPrivateExport(input: PrivateExport): Promise<void>;
  /** The latest version of each codespace that needs it, in the order of codespaces. */
  listStaleExports(query: StaleExportsQuery): Promise<readonly DatasetImportInput[]>;
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
  /** Rule codes of a private dataset that is not valid, which is a defect of ours. */
  readonly brokenRules?: readonly string[];
}

/** On the queue `timetable-validation`: long, CPU-bound, with heartbeats. */
export interface ValidationActivities {
  /** Collects the ids of the common files, which every file may refer to. */
  indexCommonFiles(input: ManifestInput): Promise<void>;
  /** Validates one batch of files, common or line; goes on behind the files that an earlier attempt finished. */
  validateFiles(input: BatchInput): Promise<{ readonly files: number }>;
  /** The rules across files; writes the report. */
  validateDataset(input: ManifestInput): Promise<ValidatedDataset>;
  /** Writes the register in the form that other datasets refer to. */
  indexStopRegister(input: ManifestInput): Promise<void>;
  /** Filters the published archive into a new one. `empty`: nothing is left to run, and no archive was written. */
  exportPrivateDataset(input: PrivateExportInput): Promise<{ readonly exportId: string; readonly empty: boolean }>;
}

/** Failure type of an activity that has given up: running it again would end the same way. */
export const GAVE_UP = 'GAVE_UP';
/** Failure type of an activity that met an archive its sender must cure; the first detail is the error code. */
export const ARCHIVE_REFUSED = 'ARCHIVE_REFUSED';
