/**
 * Starts the workflow that sends a receipt, or tells the running one that a further mail is wanted. Repeatable: the workflow
 * reads the receipt first. Callers: the operation of the API, the sweeps.
 */
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { signalWithStart } from '../../platform/temporal/workflow-calls.ts';
import {
  mailWantedSignal,
  type ReceiptInput,
  receiptWorkflow,
  receiptWorkflowId,
} from '../../workflows/receipts/messages.ts';
import { orderAttributes } from '../../workflows/shared/search-attributes.ts';

export async function startReceipt(
  temporal: TemporalClient,
  { organisationId, orderId, reference, correlationId }: ReceiptInput,
): Promise<void> {
  const input = { organisationId, orderId, reference, correlationId };
  const start = {
    workflowId: receiptWorkflowId(input),
    args: [input] as [ReceiptInput],
    searchAttributes: orderAttributes(input),
  };
  await signalWithStart(temporal, receiptWorkflow, start, mailWantedSignal);
}
