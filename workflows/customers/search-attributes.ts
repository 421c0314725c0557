/** What operators see of the workflows of customers. Never encrypted: no personal data. */
import type { SearchAttributePair } from '@temporalio/common';
import { EXPIRE_AT } from '../shared/search-attributes.ts';

export function expireAtAttribute(expireAt: Date): SearchAttributePair {
  return { key: EXPIRE_AT, value: expireAt };
}
