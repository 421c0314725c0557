/** Input, result and type of the workflow that ends drafts. Ids, versions and state names only. */
import type { OrderId, OrganisationId } from '../shared/ids.ts';
import { defineWorkflow } from '../shared/workflow-definition.ts';

export const SALES_ORDERS_QUEUE = 'sales-orders';

export interface OrderExpiryInput {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  /** Of the draft that is due. */
  readonly version: number;
}

/** The input of a run. */
export interface OrderExpiryStart extends OrderExpiryInput {
  /** By the runs before this one. */
  readonly waitedMs?: number;
}

/**
 * How the draft ended. `CONFIRMED`: what was captured meanwhile pays it. `RESET`: the order is as it was confirmed
 * before. `OVER`: the draft has ended, or lives longer, without this workflow.
 */
export type DraftEnd = 'CONFIRMED' | 'EXPIRED' | 'RESET' | 'OVER';

export interface OrderExpiryResult {
  readonly ended: DraftEnd;
}

export const orderExpiryWorkflow = defineWorkflow<(start: OrderExpiryStart) => Promise<OrderExpiryResult>>(
  'orderExpiry',
  SALES_ORDERS_QUEUE,
);

const EXPIRY_ID = /^order-expiry\/([A-Z2-9]{8})\/v(\d+)$/;

export function orderExpiryWorkflowId({ orderId, version }: Pick<OrderExpiryInput, 'orderId' | 'version'>): string {
  return `order-expiry/${orderId}/v${version}`;
}

/** Inverse of {@link orderExpiryWorkflowId}; undefined for any other id. */
export function parseOrderExpiryWorkflowId(
  workflowId: string,
): Pick<OrderExpiryInput, 'orderId' | 'version'> | undefined {
  const [, orderId, version] = EXPIRY_ID.exec(workflowId) ?? [];
  return orderId === undefined ? undefined : { orderId: orderId as OrderId, version: Number(version) };
}
