/** Search attributes by which operators find the workflows of payment pages. Never encrypted: no personal data. */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import type { PaymentPageInput } from './messages.ts';

export const ORDER_ID = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);
export const ORGANISATION_ID = defineSearchAttributeKey('OrganisationId', SearchAttributeType.KEYWORD);

export function pageAttributes({ orderId, organisationId }: PaymentPageInput): SearchAttributePair[] {
  return [
    { key: ORDER_ID, value: orderId },
    { key: ORGANISATION_ID, value: String(organisationId) },
  ];
}
