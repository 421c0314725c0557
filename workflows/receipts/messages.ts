/** Inputs, results, messages and types of the workflow of receipts. Ids and state names only: no address, no personal data. */
import { defineQuery, defineSignal } from '@temporalio/workflow';
import { SALES_DOCUMENTS_QUEUE } from '../shared/documents-queue.ts';
import type { OrderId, OrganisationId, ReceiptReference } from '../shared/ids.ts';
import { defineWorkflow } from '../shared/workflow-definition.ts';
import type { ReceiptStatus } from './rules/receipt.ts';

export interface ReceiptInput {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly reference: ReceiptReference;
  readonly correlationId: string;
}

export interface ReceiptResult {
  readonly status: ReceiptStatus;
}

/** Sends what callers want to be sent of one receipt, or one copy, for up to 24 hours each. */
export const receiptWorkflow = defineWorkflow<(input: ReceiptInput) => Promise<ReceiptResult>>(
  'receipt',
  SALES_DOCUMENTS_QUEUE,
);

/** A further mail was written down. */
export const mailWantedSignal = defineSignal('mailWanted');
export const receiptStateQuery = defineQuery<ReceiptStatus>('state');

export function receiptWorkflowId({ reference }: Pick<ReceiptInput, 'reference'>): string {
  return `receipt/${reference}`;
}

const RECEIPT_ID = /^receipt\/([0-9a-f-]{36})$/;

/** Inverse of {@link receiptWorkflowId}; undefined for any other id. */
export function parseReceiptWorkflowId(workflowId: string): ReceiptReference | undefined {
  return RECEIPT_ID.exec(workflowId)?.[1] as ReceiptReference | undefined;
}
