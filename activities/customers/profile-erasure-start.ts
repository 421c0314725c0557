/**
 * Starts the erasure of one profile. Callers: the handler that has just written the deletion, the sweep for what a crash left
 * pending. One that runs is left alone; one that has ended looks, finds nothing left, and ends again.
 */
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import {
  type CustomerInput,
  profileErasureWorkflowId,
  SALES_CUSTOMERS_QUEUE,
} from '../../workflows/customers/messages.ts';
import { organisationAttributes } from '../../workflows/customers/search-attributes.ts';

export async function startProfileErasure(
  temporal: TemporalClient,
  { organisationId, customerNumber }: CustomerInput,
): Promise<void> {
  await temporal.withDeadline((client) =>
    client.workflow.start('profileErasure', {
      taskQueue: SALES_CUSTOMERS_QUEUE,
      workflowId: profileErasureWorkflowId(customerNumber),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      args: [{ organisationId, customerNumber }],
      typedSearchAttributes: organisationAttributes(organisationId),
    }),
  );
}
