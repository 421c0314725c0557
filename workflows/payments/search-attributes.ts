/** Search attributes by which operators find the workflows of payments. Never encrypted: no personal data. */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import { orderAttributes } from '../shared/search-attributes.ts';
import type { CaptureInput } from './messages.ts';

export const PAYMENT_ID = defineSearchAttributeKey('PaymentId', SearchAttributeType.KEYWORD);

export function captureAttributes({ paymentId, ...of }: CaptureInput): SearchAttributePair[] {
  return [{ key: PAYMENT_ID, value: String(paymentId) }, ...orderAttributes(of)];
}
