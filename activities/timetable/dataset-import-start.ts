/**
 * Starts the workflow of one import. Callers: the upload handler, the sweep for imports whose start a crash has prevented.
 *
 * A closed workflow is started again only while the database calls the import unfinished: its run was terminated by hand, or lost
 * with Temporal's storage.
 */
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { startWorkflow } from '../../platform/temporal/workflow-calls.ts';
import {
  type DatasetImportInput,
  datasetImportWorkflow,
  datasetImportWorkflowId,
} from '../../workflows/timetable/messages.ts';
import { datasetImportSearchAttributes } from '../../workflows/timetable/search-attributes.ts';

export async function startDatasetImport(temporal: TemporalClient, input: DatasetImportInput): Promise<void> {
  await startWorkflow(temporal, datasetImportWorkflow, {
    workflowId: datasetImportWorkflowId(input.codespace, input.correlationId),
    args: [input],
    searchAttributes: datasetImportSearchAttributes(input.codespace, 'PENDING'),
    // On servers with fairness, no codespace waits behind the many files of another.
    priority: { fairnessKey: input.codespace },
  });
}
