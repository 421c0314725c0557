/** Search attributes by which operators find the workflows of receipts. Never encrypted: no personal data. */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import type { ReceiptInput } from './messages.ts';

export const ORDER_ID = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);
export const ORGANISATION_ID = defineSearchAttributeKey('OrganisationId', SearchAttributeType.KEYWORD);

export function receiptAttributes({
  orderId,
  organisationId,
}: Pick<ReceiptInput, 'orderId' | 'organisationId'>): SearchAttributePair[] {
  return [
    { key: ORDER_ID, value: orderId },
    { key: ORGANISATION_ID, value: String(organisationId) },
  ];
}
