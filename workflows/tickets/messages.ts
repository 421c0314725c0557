/** Inputs, results, messages and types of the workflows of tickets. Ids, versions and state names only: no personal data. */
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import { SALES_DOCUMENTS_QUEUE } from '../shared/documents-queue.ts';
import type { OrderId, OrderLineId, OrganisationId, TicketGroupId } from '../shared/ids.ts';
import type { TextLanguage } from '../shared/text.ts';
import { defineWorkflow } from '../shared/workflow-definition.ts';

export interface DeliveryInput {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
  /** CONFIRMED: issue and, where the channel says so, send by itself. ASKED: only what updates ask for. */
  readonly cause: 'CONFIRMED' | 'ASKED';
  readonly correlationId: string;
}

/**
 * NOTHING: no mail was to be sent. UNADDRESSED: some were, and nobody has an address. WAITING: a line may be paid back, or its tickets
 * wait for a signature; another run sends them.
 */
export type DeliveryOutcome = 'DELIVERED' | 'FAILED' | 'NOTHING' | 'UNADDRESSED' | 'WAITING';

export interface DeliveryResult {
  readonly outcome: DeliveryOutcome;
}

/** From a confirmation, or a call, until tickets and receipt are sent, or their mails are given up after 24 hours. */
export const deliveryWorkflow = defineWorkflow<(input: DeliveryInput) => Promise<DeliveryResult>>(
  'delivery',
  SALES_DOCUMENTS_QUEUE,
);

/** Tickets of these lines, of all when absent, are signed and their PDFs stored when it returns. */
export interface GenerateRequest {
  readonly orderLineIds?: readonly OrderLineId[];
  readonly language?: TextLanguage;
}
export const generateUpdate = defineUpdate<void, [GenerateRequest]>('generate');

/** The mails that this call wants are written down before it is sent: `mailing` names them. */
export interface DistributeRequest {
  readonly mailing: string;
}
/** Returns when the mails are written down and the tickets DISTRIBUTING; the workflow sends them. */
export const distributeUpdate = defineUpdate<void, [DistributeRequest]>('distribute');
export const deliveryStateQuery = defineQuery<string>('state');

export function deliveryWorkflowId({ orderId, orderVersion }: Pick<DeliveryInput, 'orderId' | 'orderVersion'>): string {
  return `deliver/${orderId}/v${orderVersion}`;
}

const DELIVERY_ID = /^deliver\/([A-Z2-9]{8})\/v(\d{1,9})$/;

/** Inverse of {@link deliveryWorkflowId}; undefined for any other id. */
export function parseDeliveryWorkflowId(
  workflowId: string,
): Pick<DeliveryInput, 'orderId' | 'orderVersion'> | undefined {
  const [, orderId, version] = DELIVERY_ID.exec(workflowId) ?? [];
  return orderId === undefined ? undefined : { orderId: orderId as OrderId, orderVersion: Number(version) };
}

export interface ReissueInput {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly groupId: TicketGroupId;
  /** Counts the reissues of the group, from 1. */
  readonly number: number;
  readonly correlationId: string;
}

/** Signs, stores and sends the successors that a reissue has written down. */
export const reissueWorkflow = defineWorkflow<(input: ReissueInput) => Promise<DeliveryResult>>(
  'reissue',
  SALES_DOCUMENTS_QUEUE,
);

export function reissueWorkflowId({ groupId, number }: Pick<ReissueInput, 'groupId' | 'number'>): string {
  return `reissue/${groupId}/${number}`;
}

const REISSUE_ID = /^reissue\/(\d{1,16})\/(\d{1,9})$/;

/** Inverse of {@link reissueWorkflowId}; undefined for any other id. */
export function parseReissueWorkflowId(workflowId: string): Pick<ReissueInput, 'groupId' | 'number'> | undefined {
  const [, groupId, number] = REISSUE_ID.exec(workflowId) ?? [];
  return groupId === undefined ? undefined : { groupId: Number(groupId) as TicketGroupId, number: Number(number) };
}
