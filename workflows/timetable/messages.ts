/**
 * Inputs, results, messages and types of the timetable workflows. Ids and numbers only: archives and reports travel by
 * object key.
 */
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Codespace, CorrelationId } from '../shared/ids.ts';
import { defineWorkflow } from '../shared/workflow-definition.ts';

export const TIMETABLE_QUEUE = 'timetable';
export const TIMETABLE_VALIDATION_QUEUE = 'timetable-validation';
export const PLANNER_BUILD_QUEUE = 'planner-build';

export interface DatasetImportInput {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
}

/** Input of one run; everything else is read from the database. */
export interface DatasetImportStart extends DatasetImportInput {
  /** Failed private exports of the runs before this one. */
  readonly failedExports?: number;
}

/** Answer of the query `progress`. */
export interface DatasetImportProgress {
  readonly action: ImportAction | 'DONE';
  readonly filesTotal: number;
  readonly filesValidated: number;
}

/** How the workflow ended. The database holds the truth; this is for operators. */
export interface DatasetImportResult {
  /** `ALREADY_ENDED`: the import was final before this run began, which did nothing. */
  readonly state: 'OK' | 'FAILED' | 'ALREADY_ENDED';
  readonly errorCode?: string;
}

/** The steps that callers see on the events endpoint, in their order. */
export const IMPORT_ACTIONS = [
  'FILE_TRANSFER',
  'FILE_CLASSIFICATION',
  'VALIDATION',
  'PUBLICATION',
  'PRIVATE_EXPORT',
  'PLANNER_BUILD',
] as const;
export type ImportAction = (typeof IMPORT_ACTIONS)[number];
export type ImportActionState = 'PENDING' | 'STARTED' | 'OK' | 'FAILED' | 'DUPLICATE' | 'CANCELLED';
export type ImportState = 'IN_PROGRESS' | 'OK' | 'FAILED';

/** Which private datasets `datasetRefresh` makes again. Everything else is passed from one run to the next. */
export interface DatasetRefreshInput {
  /** Absent: every codespace. */
  readonly codespaces?: readonly Codespace[];
  readonly progress?: DatasetRefreshProgress;
}

/** Answer of the query `progress` of `datasetRefresh`, and its result. */
export interface DatasetRefreshProgress {
  /** `yyyy-MM-dd`: the "today" of every dataset of this refresh; null until it is known. */
  readonly day: string | null;
  /** From 1. A codespace that failed is tried again in the next round. */
  readonly round: number;
  /** The last codespace of this round that was taken up. */
  readonly after: Codespace | null;
  readonly refreshed: number;
  /** Of those, with nothing left to run. */
  readonly emptied: number;
  /** Withdrawn, or refreshed by another run, meanwhile. */
  readonly left: number;
  /** In this round. */
  readonly failed: number;
  /** The first of them. */
  readonly failedCodespaces: readonly Codespace[];
}

/** There is one: a second would build what the first builds. */
export const PLANNER_BUILD_WORKFLOW_ID = 'planner-build';

/** Answer of the query `progress` of `plannerBuild`, and its result. */
export interface PlannerBuildProgress {
  readonly step: 'WAITING' | 'UNCHANGED' | 'BUILDING' | 'STORING_JOURNEYS' | 'PUBLISHED' | 'NOT_NEWER' | 'FAILED';
  readonly build: number | null;
}

export const datasetImportWorkflow = defineWorkflow<(start: DatasetImportStart) => Promise<DatasetImportResult>>(
  'datasetImport',
  TIMETABLE_QUEUE,
);
export const importProgressQuery = defineQuery<DatasetImportProgress>('progress');
/** To `datasetImport`: a build has ended. */
export const plannerBuiltSignal = defineSignal('plannerBuilt');

export const datasetRefreshWorkflow = defineWorkflow<(input?: DatasetRefreshInput) => Promise<DatasetRefreshProgress>>(
  'datasetRefresh',
  TIMETABLE_QUEUE,
);
export const refreshProgressQuery = defineQuery<DatasetRefreshProgress>('progress');

export const plannerBuildWorkflow = defineWorkflow<() => Promise<PlannerBuildProgress>>(
  'plannerBuild',
  PLANNER_BUILD_QUEUE,
);
export const plannerProgressQuery = defineQuery<PlannerBuildProgress>('progress');
/** To `plannerBuild`: what is published has changed. */
export const changedSignal = defineSignal('changed');

const PREFIX = 'dataset-import/';

export function datasetImportWorkflowId(codespace: Codespace, correlationId: CorrelationId): string {
  return `${PREFIX}${codespace}/${correlationId}`;
}

/** Inverse of {@link datasetImportWorkflowId}; undefined for any other id. */
export function parseDatasetImportWorkflowId(workflowId: string): DatasetImportInput | undefined {
  const [codespace, correlationId, ...rest] = workflowId.startsWith(PREFIX)
    ? workflowId.slice(PREFIX.length).split('/')
    : [];
  if (!codespace || !correlationId || rest.length > 0) return undefined;
  return { codespace: codespace as Codespace, correlationId: correlationId as CorrelationId };
}

/** Id for the refresh of one codespace, out of turn. The schedule names the nightly one of all. */
export function datasetRefreshWorkflowId(codespace: Codespace): string {
  return `dataset-refresh/${codespace}`;
}
