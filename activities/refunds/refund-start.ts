/** Starts the workflow of a refund. Repeatable: it joins one in progress, which reads the refund first. Callers: handlers, sweeps. */
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { signalWithStart, startWorkflow } from '../../platform/temporal/workflow-calls.ts';
import {
  type RefundInput,
  refundWorkflow,
  refundWorkflowId,
  resolvedSignal,
} from '../../workflows/refunds/messages.ts';
import type { Refund } from '../../workflows/refunds/rules/refund.ts';
import { orderAttributes } from '../../workflows/shared/search-attributes.ts';

export type StartedRefund = Pick<Refund, 'id' | 'organisationId' | 'orderId' | 'createdAt'> & {
  readonly correlationId: string;
};

/** By then a provider that was away has answered. */
const ATTENTION_AFTER_MS = 24 * 3600_000;

export async function startRefund(temporal: TemporalClient, refund: StartedRefund): Promise<void> {
  await startWorkflow(temporal, refundWorkflow, startOf(refund));
}

/** An operator's decision is in the database. */
export async function wakeRefund(temporal: TemporalClient, refund: StartedRefund): Promise<void> {
  await signalWithStart(temporal, refundWorkflow, startOf(refund), resolvedSignal);
}

function startOf({ id: refundId, organisationId, orderId, correlationId, createdAt }: StartedRefund) {
  const attentionAtMs = createdAt.getTime() + ATTENTION_AFTER_MS;
  const input: RefundInput = { organisationId, orderId, refundId, correlationId, attentionAtMs };
  return {
    workflowId: refundWorkflowId(input),
    args: [input] as [RefundInput],
    searchAttributes: orderAttributes(input),
  };
}
