/** Starts the refresh of one codespace's private dataset, out of turn. Caller: the sweep, after a withdrawal. */
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { Codespace } from '../../workflows/shared/ids.ts';
import {
  type DatasetRefreshInput,
  datasetRefreshWorkflowId,
  TIMETABLE_QUEUE,
} from '../../workflows/timetable/messages.ts';
import type { TemporalClient } from '../shared/temporal.ts';

/** Safe to repeat: one that runs is left to end, and finds what is stale by itself. */
export async function startDatasetRefresh(temporal: TemporalClient, codespace: Codespace): Promise<void> {
  const input: DatasetRefreshInput = { codespaces: [codespace] };
  await temporal.withDeadline((client) =>
    client.workflow.start('datasetRefresh', {
      taskQueue: TIMETABLE_QUEUE,
      workflowId: datasetRefreshWorkflowId(codespace),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      args: [input],
    }),
  );
}
