/** What enters and leaves the timetable workflows. Ids and numbers only: archives and reports travel by object key. */
import type { Codespace, CorrelationId } from '../shared/ids.ts';

export const TIMETABLE_QUEUE = 'timetable';
export const TIMETABLE_VALIDATION_QUEUE = 'timetable-validation';

export interface DatasetImportInput {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
}

/** Name of the query that answers {@link DatasetImportProgress}. */
export const PROGRESS_QUERY = 'progress';

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

/** The steps that callers see on the events endpoint. */
export type ImportAction = 'FILE_TRANSFER' | 'FILE_CLASSIFICATION' | 'VALIDATION' | 'PUBLICATION';
export type ImportActionState = 'PENDING' | 'STARTED' | 'OK' | 'FAILED' | 'DUPLICATE' | 'CANCELLED';
export type ImportState = 'IN_PROGRESS' | 'OK' | 'FAILED';

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
