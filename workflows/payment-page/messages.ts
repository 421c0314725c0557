/**
 * Input, result, messages and type of the workflow of a payment page. Ids, amounts and state names only: never a token,
 * an address of a terminal or anything of a person. Signals that other workflows send are in workflows/shared.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ErrorCode } from '../shared/error-codes.ts';
import type { OrderId, OrganisationId, PaymentPageId } from '../shared/ids.ts';
import { paymentPageWorkflowId } from '../shared/payment-page-signals.ts';
import { defineWorkflow } from '../shared/workflow-definition.ts';
import type { PageError, PageMethod, PageStatus } from './rules/page.ts';

export const PAYMENT_PAGES_QUEUE = 'sales-payment-pages';

export interface PaymentPageInput {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly pageId: PaymentPageId;
}

/** A PAID page has an error where its tickets were not sent in time. */
export interface PaymentPageResult {
  readonly status: PageStatus;
  readonly lastError?: PageError;
}

/** The values of the customer's form, which the page has signed. */
export interface PayRequest extends PageMethod {
  /** The attempt that the form begins. */
  readonly number: number;
  readonly amountMinor: number;
  /** Of what the customer has seen. */
  readonly contentMark: string;
  /** ISO 639-3, of the terminal. */
  readonly language: string;
  readonly correlationId: string;
}

export interface PatchRequest {
  /** The same in every attempt of one request. */
  readonly workId: string;
  /** Of the page that the caller has seen, where it asks for that. */
  readonly ifRevision?: number;
  readonly expireAtMs?: number;
  readonly paymentMethods?: readonly PageMethod[];
  readonly correlationId: string;
}

export interface CancelRequest {
  readonly workId: string;
  readonly ifRevision?: number;
  readonly correlationId: string;
}

/** A refusal is an answer: an update that fails would be tried again by nobody. */
export type PageAnswer =
  | { readonly done: true; readonly refused?: undefined }
  | { readonly refused: ErrorCode; readonly detail: string };

export const paymentPageWorkflow = defineWorkflow<(input: PaymentPageInput) => Promise<PaymentPageResult>>(
  'paymentPage',
  PAYMENT_PAGES_QUEUE,
);
/** The order, or the page's document, was changed: look at both. */
export const orderChangedSignal = defineSignal('orderChanged');
export const patchUpdate = defineUpdate<PageAnswer, [PatchRequest]>('patch');
export const payUpdate = defineUpdate<PageAnswer, [PayRequest]>('pay');
export const cancelUpdate = defineUpdate<PageAnswer, [CancelRequest]>('cancel');
export const pageStateQuery = defineQuery<PageStatus>('state');

export { captureSettledSignal, deliverySettledSignal, paymentPageWorkflowId } from '../shared/payment-page-signals.ts';

const PAGE_ID = /^payment-page\/([0-9a-f-]{36})$/;

/** Inverse of {@link paymentPageWorkflowId}; undefined for any other id. */
export function parsePaymentPageWorkflowId(workflowId: string): PaymentPageId | undefined {
  const [, pageId] = PAGE_ID.exec(workflowId) ?? [];
  return pageId === undefined || paymentPageWorkflowId(pageId as PaymentPageId) !== workflowId
    ? undefined
    : (pageId as PaymentPageId);
}
