/**
 * Starts the workflow of one import. Callers: the upload handler at once, the sweep for what a crash left pending.
 *
 * Safe to repeat and to race: a running import is left alone. A closed one is started again, which only happens while
 * the database still calls the import unfinished (its run was terminated by hand, or lost with Temporal's storage);
 * the workflow looks there first and ends at once when there is nothing to do.
 */
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import {
  type DatasetImportInput,
  datasetImportWorkflowId,
  TIMETABLE_QUEUE,
} from '../../workflows/timetable/messages.ts';
import { datasetImportSearchAttributes } from '../../workflows/timetable/search-attributes.ts';

export async function startDatasetImport(temporal: TemporalClient, input: DatasetImportInput): Promise<void> {
  await temporal.withDeadline((client) =>
    client.workflow.start('datasetImport', {
      taskQueue: TIMETABLE_QUEUE,
      workflowId: datasetImportWorkflowId(input.codespace, input.correlationId),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      args: [input],
      // Where the server knows fairness, no codespace waits behind the many files of another.
      priority: { fairnessKey: input.codespace },
      typedSearchAttributes: datasetImportSearchAttributes(input.codespace, 'PENDING'),
    }),
  );
}
