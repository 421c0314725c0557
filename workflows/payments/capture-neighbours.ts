/** The workflows that a capture starts and tells. Caller: capture.workflow.ts. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  getExternalWorkflowHandle,
  log,
  ParentClosePolicy,
  startChild,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import type { CreditId } from '../shared/ids.ts';
import { captureSettledSignal, paymentPageWorkflowId } from '../shared/payment-page-signals.ts';
import { orderAttributes } from '../shared/search-attributes.ts';
import type { CaptureStep } from './activities.ts';
import { credit } from './credit.workflow.ts';
import { type CaptureInput, creditWorkflowId } from './messages.ts';
import { pageOutcome } from './rules/page-outcome.ts';

/** Waits for the credit. False: it runs already, started by another one. */
export async function awaitCredit(
  { organisationId, orderId, correlationId }: CaptureInput,
  creditId: CreditId,
): Promise<boolean> {
  const input = { organisationId, orderId, correlationId, creditId };
  try {
    const child = await startChild(credit, {
      workflowId: creditWorkflowId(input),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      // It pays back also when nobody waits for it any more.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [input],
      typedSearchAttributes: orderAttributes(input),
    });
    await child.result();
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** A page that has ended needs to know nothing more. */
export async function tellPage(
  { paymentPageId, paymentId, transactionId }: CaptureInput,
  step: CaptureStep,
): Promise<void> {
  const outcome = pageOutcome(step);
  if (paymentPageId === undefined || outcome === undefined) return;
  try {
    const page = getExternalWorkflowHandle(paymentPageWorkflowId(paymentPageId));
    const endedBy = step.status === 'CANCELLED' ? ('CUSTOMER' as const) : ('REFUSAL' as const);
    const settled = { paymentId, transactionId, outcome, ...(outcome === 'ENDED' && { endedBy }) };
    await page.signal(captureSettledSignal, settled);
  } catch {
    log.info('The payment page has ended before its transaction', { transactionId, outcome });
  }
}
