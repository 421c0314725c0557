/** Which workflows Temporal has run for an order, and what each has cost. For budgets. */
import type { Client } from '@temporalio/client';
import { until } from './until.ts';

export interface WorkflowCost {
  readonly workflowId: string;
  readonly tasks: number;
  readonly activities: number;
}

/** Once at least `atLeast` are known to the visibility store, which learns of them late, and all have ended. */
export async function workflowsOfOrder(
  { workflow }: Pick<Client, 'workflow'>,
  orderId: string,
  atLeast: number,
): Promise<readonly WorkflowCost[]> {
  let found: readonly { readonly workflowId: string; readonly runId: string; readonly isOpen: boolean }[] = [];
  const haveEnded = async () => {
    const listed = await Array.fromAsync(workflow.list({ query: `OrderId = '${orderId}'` }));
    found = listed.map(({ workflowId, runId, status }) => ({ workflowId, runId, isOpen: status.name === 'RUNNING' }));
    return found.length >= atLeast && found.every(({ isOpen }) => !isOpen);
  };
  await until(haveEnded, { what: `${atLeast} workflows of ${orderId}` });
  const costs = found.map(async ({ workflowId, runId }) => {
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    const all = events ?? [];
    return {
      workflowId,
      tasks: all.filter((event) => event.workflowTaskCompletedEventAttributes).length,
      activities: all.filter((event) => event.activityTaskScheduledEventAttributes).length,
    };
  });
  return (await Promise.all(costs)).sort((one, other) => one.workflowId.localeCompare(other.workflowId));
}
