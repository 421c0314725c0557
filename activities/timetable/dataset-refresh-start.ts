/** Starts the refresh of one codespace's private dataset, out of turn. Caller: the sweep, after a withdrawal. */
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { Codespace } from '../../workflows/shared/ids.ts';
import {
  type DatasetRefreshInput,
  datasetRefreshWorkflowId,
  TIMETABLE_QUEUE,
} from '../../workflows/timetable/messages.ts';

/**
 * Safe to repeat. False when one is running: it is left to end, but may have looked for what is stale already, so ask again.
 */
export async function startDatasetRefresh(temporal: TemporalClient, codespace: Codespace): Promise<boolean> {
  const input: DatasetRefreshInput = { codespaces: [codespace] };
  return await temporal.withDeadline(async (client) => {
    try {
      await client.workflow.start('datasetRefresh', {
        taskQueue: TIMETABLE_QUEUE,
        workflowId: datasetRefreshWorkflowId(codespace),
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        args: [input],
      });
      return true;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw error;
    }
  });
}
