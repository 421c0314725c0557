/**
 * Starts, signals and updates the workflows of payments. Callers: the handlers of the API, what payments offer to other
 * areas, the sweeps.
 *
 * A call reads the document first and answers from it when the work is final, so no closed workflow is needed. Any message
 * finds the running workflow or starts one, which first reads the documents: one that was lost comes back with it.
 */
import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { signalWithStart, startWorkflow, updateWithStart } from '../../platform/temporal/workflow-calls.ts';
import {
  type CaptureInput,
  type CreditInput,
  cancelUpdate,
  captureUpdate,
  captureWorkflow,
  captureWorkflowId,
  creditWorkflow,
  creditWorkflowId,
  lookUpdate,
  providerCallbackSignal,
  terminalUpdate,
} from '../../workflows/payments/messages.ts';
import { cancelTransaction } from '../../workflows/payments/rules/cancelling.ts';
import type { Transaction, TransactionStatus } from '../../workflows/payments/rules/payment.ts';
import { liveTerminal } from '../../workflows/payments/rules/terminal.ts';
import { isOpen, isTaken, transactionOf } from '../../workflows/payments/rules/transactions.ts';
import { captureAttributes } from '../../workflows/payments/search-attributes.ts';
import { ERROR_STATUS, type ErrorCode } from '../../workflows/shared/error-codes.ts';
import { orderAttributes } from '../../workflows/shared/search-attributes.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { CaptureCalls, CaptureWork, TransactionPlace } from './capture-calls.ts';
import type { OrderNotes } from './order-notes.ts';
import type { PaymentStore } from './payment-store.ts';

/** Longer than the workflow takes to answer, and than Temporal takes to give a dead worker's task to another one. */
const CALL_TIMEOUT_MS = 20_000;
/** A customer waits for it. */
const LOOK_TIMEOUT_MS = 3_000;
const RETRY_SECONDS = 2;
const RETRIED: ReadonlySet<string> = new Set(['RESOURCE_BUSY', 'ORDER_LOCKED']);

export interface PaymentWorkflowsOptions {
  /** Throws in a process without a connection to Temporal. */
  readonly temporal: () => TemporalClient;
  readonly payments: Pick<PaymentStore, 'get' | 'change'>;
  readonly notes: Pick<OrderNotes, 'tryToTell'>;
  readonly orders: () => Pick<OrderAccess, 'get'>;
}

export class PaymentWorkflows implements CaptureCalls {
  readonly #options: PaymentWorkflowsOptions;

  constructor(options: PaymentWorkflowsOptions) {
    this.#options = options;
  }

  async openTerminal(place: TransactionPlace, work: CaptureWork): Promise<TransactionStatus> {
    const transaction = await this.#read(place);
    if (transaction.status === 'INITIATED' && liveTerminal(transaction) !== undefined) return transaction.status;
    return await this.#update(terminalUpdate, place, work);
  }

  async capture(place: TransactionPlace, work: CaptureWork): Promise<TransactionStatus> {
    const transaction = await this.#read(place);
    if (isTaken(transaction) && !(await this.#isSettling(place))) return transaction.status;
    return await this.#update(captureUpdate, place, work);
  }

  async cancel(place: TransactionPlace, work: CaptureWork): Promise<TransactionStatus> {
    const { organisationId, paymentId, transactionId } = place;
    const transaction = await this.#read(place);
    if (transaction.status === 'CANCELLED' && !transaction.intent) return transaction.status;
    // Nothing of it is at a provider, so no workflow is needed.
    if (isOpen(transaction) && !transaction.session && !transaction.intent) {
      const { workId: _workId, ...by } = work;
      const stored = await this.#options.payments.change(organisationId, paymentId, by, (payment, now) =>
        cancelTransaction(payment, { transactionId }, now),
      );
      await this.#options.notes.tryToTell(stored, by);
      const after = transactionOf(stored.payment, transactionId);
      // A terminal was opened meanwhile: its session is ended by the workflow.
      if (!after.intent) return after.status;
    }
    return await this.#update(cancelUpdate, place, work);
  }

  /**
   * Asks the provider how it stands, and returns when that is known. Throws what the workflow refuses, and UNAVAILABLE when
   * nothing is known in time.
   */
  async look(place: TransactionPlace, work: CaptureWork): Promise<TransactionStatus> {
    return await this.#update(lookUpdate, place, work, LOOK_TIMEOUT_MS);
  }

  /** The provider has news, or a workflow may be lost. */
  async wake(place: TransactionPlace, correlationId: string): Promise<void> {
    const start = startOf({ ...place, correlationId });
    await signalWithStart(this.#options.temporal(), captureWorkflow, start, providerCallbackSignal);
  }

  /** A run in progress goes on. */
  async startCredit(input: CreditInput): Promise<void> {
    const { organisationId, orderId, creditId, correlationId } = input;
    await startWorkflow(this.#options.temporal(), creditWorkflow, {
      workflowId: creditWorkflowId(input),
      args: [{ organisationId, orderId, creditId, correlationId }],
      searchAttributes: orderAttributes(input),
    });
  }

  async #read({ organisationId, paymentId, transactionId }: TransactionPlace): Promise<Transaction> {
    const { payment } = await this.#options.payments.get(organisationId, paymentId);
    return transactionOf(payment, transactionId);
  }

  /** Captured, and its order is being confirmed or credited. */
  async #isSettling(place: TransactionPlace): Promise<boolean> {
    const { lock } = await this.#options.orders().get(place.organisationId, place.orderId);
    return lock?.owner === captureWorkflowId(place);
  }

  /**
   * Each attempt has an update of its own: an earlier one that has failed would answer its failure again. The documents let
   * all attempts of one request take money once.
   */
  async #update(
    update: UpdateDefinition<TransactionStatus, []>,
    place: TransactionPlace,
    { workId, correlationId }: CaptureWork,
    timeoutMs = CALL_TIMEOUT_MS,
  ): Promise<TransactionStatus> {
    const call = { updateId: `idem:${workId}/${randomUUID()}`, args: [] as [], timeoutMs };
    const start = startOf({ ...place, correlationId });
    try {
      return await updateWithStart(this.#options.temporal(), captureWorkflow, start, update, call);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }
}

function startOf({ organisationId, orderId, paymentId, transactionId, paymentPageId, correlationId }: CaptureInput) {
  const page = paymentPageId !== undefined && { paymentPageId };
  const input: CaptureInput = { organisationId, orderId, paymentId, transactionId, correlationId, ...page };
  return {
    workflowId: captureWorkflowId(input),
    args: [input] as [CaptureInput],
    searchAttributes: captureAttributes(input),
  };
}

function refusalOf(error: unknown): ServiceError | undefined {
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) return undefined;
  const { type, message } = error.cause;
  if (typeof type !== 'string' || !Object.hasOwn(ERROR_STATUS, type)) return undefined;
  const headers = RETRIED.has(type) ? { headers: { 'Retry-After': String(RETRY_SECONDS) } } : {};
  return new ServiceError(type as ErrorCode, message, { cause: error, ...headers });
}
