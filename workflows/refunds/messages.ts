/** Inputs, results and messages of the workflow of refunds. Ids and state names only: no personal data, no free text of callers. */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { OrderId, OrganisationId, RefundId } from '../shared/ids.ts';
import { defineWorkflow } from '../shared/workflow-definition.ts';
import type { RefundStatus, Resolution } from './rules/refund.ts';

/** The orders worker serves it: refunds write orders. */
export const SALES_ORDERS_QUEUE = 'sales-orders';

export interface RefundInput {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly refundId: RefundId;
  readonly correlationId: string;
  /** From then on an operator is asked. */
  readonly attentionAtMs: number;
}

export interface RefundResult {
  readonly status: RefundStatus;
}

/** From the request until the money is paid back and the order confirmed without what was given back, or all is as before. */
export const refundWorkflow = defineWorkflow<(input: RefundInput) => Promise<RefundResult>>(
  'refund',
  SALES_ORDERS_QUEUE,
);

export interface ResolveRequest {
  readonly resolution: Resolution;
  /** Why: a code, as BANK_TRANSFER. */
  readonly reason: string;
}

/** An operator's decision on a refund that needs attention. Fails with INVALID_STATE otherwise, and with VALIDATION_FAILED for another shape. */
export const resolveUpdate = defineUpdate<RefundStatus, [ResolveRequest]>('resolve');
/** The decision is in the database. */
export const resolvedSignal = defineSignal('resolved');
export const refundStateQuery = defineQuery<RefundStatus>('state');

export function refundWorkflowId({ orderId, refundId }: Pick<RefundInput, 'orderId' | 'refundId'>): string {
  return `refund/${orderId}/${refundId}`;
}

const REFUND_ID = /^refund\/([A-Z2-9]{8})\/([0-9a-f-]{36})$/;

/** Inverse of {@link refundWorkflowId}; undefined for any other id. */
export function parseRefundWorkflowId(workflowId: string): Pick<RefundInput, 'orderId' | 'refundId'> | undefined {
  const [, orderId, refundId] = REFUND_ID.exec(workflowId) ?? [];
  return orderId === undefined ? undefined : { orderId: orderId as OrderId, refundId: refundId as RefundId };
}
