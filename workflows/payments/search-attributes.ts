/** Search attributes by which operators find the workflows of payments. Never encrypted: no personal data. */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import type { CaptureInput, CreditInput } from './messages.ts';

export const PAYMENT_ID = defineSearchAttributeKey('PaymentId', SearchAttributeType.KEYWORD);
export const ORDER_ID = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);
export const ORGANISATION_ID = defineSearchAttributeKey('OrganisationId', SearchAttributeType.KEYWORD);
/** Status of the transaction or the credit. */
export const SALES_STATE = defineSearchAttributeKey('SalesState', SearchAttributeType.KEYWORD);

export function captureAttributes({ paymentId, ...of }: CaptureInput): SearchAttributePair[] {
  return [{ key: PAYMENT_ID, value: String(paymentId) }, ...creditAttributes(of)];
}

export function creditAttributes({
  orderId,
  organisationId,
}: Pick<CreditInput, 'orderId' | 'organisationId'>): SearchAttributePair[] {
  return [
    { key: ORDER_ID, value: orderId },
    { key: ORGANISATION_ID, value: String(organisationId) },
  ];
}

export function stateAttribute(state: string): SearchAttributePair {
  return { key: SALES_STATE, value: state };
}
