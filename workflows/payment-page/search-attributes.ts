/** Search attributes by which operators find the workflows of payment pages. Never encrypted: no personal data. */
import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  SearchAttributeType,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import type { PageStep } from './activities.ts';
import type { PaymentPageInput } from './messages.ts';

export const ORDER_ID = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);
export const ORGANISATION_ID = defineSearchAttributeKey('OrganisationId', SearchAttributeType.KEYWORD);
/** Status of the page. */
export const SALES_STATE = defineSearchAttributeKey('SalesState', SearchAttributeType.KEYWORD);
/** When time alone changes the page next. */
export const EXPIRE_AT = defineSearchAttributeKey('ExpireAt', SearchAttributeType.DATETIME);

export function pageAttributes({ orderId, organisationId }: PaymentPageInput): SearchAttributePair[] {
  return [
    { key: ORDER_ID, value: orderId },
    { key: ORGANISATION_ID, value: String(organisationId) },
  ];
}

/** Of a page without a deadline the time is removed. */
export function stepAttributes({ status, deadlineMs }: PageStep): SearchAttributeUpdatePair[] {
  return [
    { key: SALES_STATE, value: status },
    { key: EXPIRE_AT, value: deadlineMs === undefined ? null : new Date(deadlineMs) },
  ];
}
