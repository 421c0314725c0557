/**
 * Starts the erasure of one profile. Callers: the handler that has just written the deletion, the sweep for starts that
 * a crash has prevented. A repeated erasure finds nothing left, and ends.
 */
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { startWorkflow } from '../../platform/temporal/workflow-calls.ts';
import {
  type CustomerInput,
  profileErasureWorkflow,
  profileErasureWorkflowId,
} from '../../workflows/customers/messages.ts';
import { organisationAttributes } from '../../workflows/shared/search-attributes.ts';

export async function startProfileErasure(
  temporal: TemporalClient,
  { organisationId, customerNumber }: CustomerInput,
): Promise<void> {
  await startWorkflow(temporal, profileErasureWorkflow, {
    workflowId: profileErasureWorkflowId(customerNumber),
    args: [{ organisationId, customerNumber }],
    searchAttributes: organisationAttributes(organisationId),
  });
}
