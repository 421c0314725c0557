/** Search attributes by which operators find the workflows of refunds. Never encrypted: no personal data. */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import type { RefundInput } from './messages.ts';

export const ORDER_ID = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);
export const ORGANISATION_ID = defineSearchAttributeKey('OrganisationId', SearchAttributeType.KEYWORD);
/** Status of the refund. */
export const SALES_STATE = defineSearchAttributeKey('SalesState', SearchAttributeType.KEYWORD);

export function refundAttributes({
  orderId,
  organisationId,
}: Pick<RefundInput, 'orderId' | 'organisationId'>): SearchAttributePair[] {
  return [
    { key: ORDER_ID, value: orderId },
    { key: ORGANISATION_ID, value: String(organisationId) },
  ];
}

export function stateAttribute(state: string): SearchAttributePair {
  return { key: SALES_STATE, value: state };
}
