/**
 * Inputs, results, messages and types of the workflows of payments. Ids, versions and state names only: no addresses of
 * terminals, no personal data.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CreditId, OrderId, OrganisationId, PaymentId, PaymentPageId, TransactionId } from '../shared/ids.ts';
import { defineWorkflow } from '../shared/workflow-definition.ts';
import type { TransactionStatus } from './rules/payment.ts';

export const SALES_PAYMENTS_QUEUE = 'sales-payments';

export interface CaptureInput {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
  /** Told of the outcome. */
  readonly paymentPageId?: PaymentPageId;
  readonly correlationId: string;
}

/** One step of the workflow. */
export interface CaptureCall extends CaptureInput {
  /** The same in every attempt of the step, and of no other step: it captures once at most. */
  readonly callId: string;
}

export interface CaptureResult {
  readonly status: TransactionStatus;
}

/** From the first call on a transaction until its outcome is final, and its order is confirmed or the money is credited. */
export const captureWorkflow = defineWorkflow<(input: CaptureInput) => Promise<CaptureResult>>(
  'capture',
  SALES_PAYMENTS_QUEUE,
);

/** Opens the session that the transaction's document names. The caller reads its address from that document. */
export const terminalUpdate = defineUpdate<TransactionStatus, []>('terminal');
/** Fails with the code of the refusal: SOFT_DECLINE, REFUSED_BY_ISSUER, RESOURCE_BUSY, … */
export const captureUpdate = defineUpdate<TransactionStatus, []>('capture');
/** Fails with INVALID_STATE once the money is captured. */
export const cancelUpdate = defineUpdate<TransactionStatus, []>('cancel');
/** Asks the provider how it stands, and goes on with what that allows. Fails with the code of a refusal. */
export const lookUpdate = defineUpdate<TransactionStatus, []>('look');
/** The provider has news; the workflow asks it, and never trusts what was sent. */
export const providerCallbackSignal = defineSignal('providerCallback');
export const captureStateQuery = defineQuery<TransactionStatus>('state');

export function captureWorkflowId({
  paymentId,
  transactionId,
}: Pick<CaptureInput, 'paymentId' | 'transactionId'>): string {
  return `capture/${paymentId}/${transactionId}`;
}

const CAPTURE_ID = /^capture\/(\d{1,16})\/(\d{1,16})$/;

/** Inverse of {@link captureWorkflowId}; undefined for any other id. */
export function parseCaptureWorkflowId(
  workflowId: string,
): Pick<CaptureInput, 'paymentId' | 'transactionId'> | undefined {
  const [, paymentId, transactionId] = CAPTURE_ID.exec(workflowId) ?? [];
  if (paymentId === undefined) return undefined;
  return { paymentId: Number(paymentId) as PaymentId, transactionId: Number(transactionId) as TransactionId };
}

export interface CreditInput {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly creditId: CreditId;
  readonly correlationId: string;
}

export interface CreditResult {
  readonly status: 'CREDITED' | 'FAILED';
}

/** Pays back what the document of the credit says, transaction by transaction, and asks until each outcome is known. */
export const creditWorkflow = defineWorkflow<(input: CreditInput) => Promise<CreditResult>>(
  'credit',
  SALES_PAYMENTS_QUEUE,
);

export function creditWorkflowId({ creditId }: Pick<CreditInput, 'creditId'>): string {
  return `credit/${creditId}`;
}
