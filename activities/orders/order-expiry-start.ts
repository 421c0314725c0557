/** Starts the workflow that ends a due draft. Caller: the sweep. Safe to repeat: a run in progress goes on. */
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { startUnlessRunning } from '../../platform/temporal/workflow-calls.ts';
import { type OrderExpiryInput, orderExpiryWorkflow, orderExpiryWorkflowId } from '../../workflows/orders/messages.ts';
import { orderAttributes } from '../../workflows/shared/search-attributes.ts';

export async function startOrderExpiry(temporal: TemporalClient, input: OrderExpiryInput): Promise<boolean> {
  return await startUnlessRunning(temporal, orderExpiryWorkflow, {
    workflowId: orderExpiryWorkflowId(input),
    args: [input],
    searchAttributes: orderAttributes(input),
  });
}
