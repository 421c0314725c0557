/** Starts the refresh of one codespace's private dataset between two nights. Caller: the sweep, after a withdrawal. */
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { startUnlessRunning } from '../../platform/temporal/workflow-calls.ts';
import type { Codespace } from '../../workflows/shared/ids.ts';
import { datasetRefreshWorkflow, datasetRefreshWorkflowId } from '../../workflows/timetable/messages.ts';

/** False while a refresh is running, which may have listed stale versions before this request: try again later. */
export async function startDatasetRefresh(temporal: TemporalClient, codespace: Codespace): Promise<boolean> {
  return await startUnlessRunning(temporal, datasetRefreshWorkflow, {
    workflowId: datasetRefreshWorkflowId(codespace),
    args: [{ codespaces: [codespace] }],
  });
}
