/**
 * Reaches the workflow of a transaction: each call finds the running workflow or starts one, which first reads the payment.
 * Callers: the handlers of the API.
 */
import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { updateWithStart } from '../../platform/temporal/workflow-calls.ts';
import {
  type CaptureInput,
  cancelUpdate,
  captureUpdate,
  captureWorkflow,
  captureWorkflowId,
  terminalUpdate,
} from '../../workflows/payments/messages.ts';
import type { TransactionStatus } from '../../workflows/payments/rules/payment.ts';
import { ERROR_STATUS, type ErrorCode } from '../../workflows/shared/error-codes.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CaptureCalls, CaptureWork, TransactionPlace } from './capture-calls.ts';

/** The workflow answers within ten seconds, and a lost task is given to another worker after as many. */
const TIMEOUT_MS = 25_000;
const RETRY_SECONDS = '2';

export function createCaptureCalls(temporal: TemporalClient): CaptureCalls {
  const call =
    (update: UpdateDefinition<TransactionStatus, []>) =>
    async (place: TransactionPlace, { workId, correlationId }: CaptureWork): Promise<TransactionStatus> => {
      const input: CaptureInput = { ...place, correlationId };
      const start = { workflowId: captureWorkflowId(place), args: [input] as [CaptureInput] };
      // An update that has failed ends its attempt: the same key may ask again.
      const options = { updateId: `idem:${workId}/${randomUUID()}`, args: [] as [], timeoutMs: TIMEOUT_MS };
      try {
        return await updateWithStart(temporal, captureWorkflow, start, update, options);
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
    };
  return { openTerminal: call(terminalUpdate), capture: call(captureUpdate), cancel: call(cancelUpdate) };
}

/** The code that the workflow refuses with. */
function refusalOf(error: unknown): ServiceError | undefined {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure) || !isCode(cause.type)) return undefined;
  const headers = cause.type === 'RESOURCE_BUSY' ? { 'Retry-After': RETRY_SECONDS } : {};
  return new ServiceError(cause.type, cause.message, { headers });
}

function isCode(type: string | null | undefined): type is ErrorCode {
  return typeof type === 'string' && type in ERROR_STATUS;
}
