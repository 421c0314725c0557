/**
 * Search attributes by which operators find workflows of more than one area. Never encrypted: no personal data. Callers: the
 * workflows, their starts, the manifests.
 */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import type { OrderId, OrganisationId } from './ids.ts';

export const ORDER_ID = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);
export const ORGANISATION_ID = defineSearchAttributeKey('OrganisationId', SearchAttributeType.KEYWORD);
/** Status of the transaction, the credit, the refund or the page. */
export const SALES_STATE = defineSearchAttributeKey('SalesState', SearchAttributeType.KEYWORD);
/** When time alone changes it next. */
export const EXPIRE_AT = defineSearchAttributeKey('ExpireAt', SearchAttributeType.DATETIME);

export function orderAttributes({
  orderId,
  organisationId,
}: {
  readonly orderId: OrderId;
  readonly organisationId: OrganisationId;
}): SearchAttributePair[] {
  return [{ key: ORDER_ID, value: orderId }, ...organisationAttributes(organisationId)];
}

export function organisationAttributes(organisationId: OrganisationId): SearchAttributePair[] {
  return [{ key: ORGANISATION_ID, value: String(organisationId) }];
}

export function stateAttribute(state: string): SearchAttributePair {
  return { key: SALES_STATE, value: state };
}
