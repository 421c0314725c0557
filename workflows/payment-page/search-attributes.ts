/** What operators see of the workflows of payment pages. Never encrypted: no personal data. */
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { EXPIRE_AT, stateAttribute } from '../shared/search-attributes.ts';
import type { PageStep } from './activities.ts';

/** Of a page without a deadline the time is removed. */
export function stepAttributes({ status, deadlineMs }: PageStep): SearchAttributeUpdatePair[] {
  return [stateAttribute(status), { key: EXPIRE_AT, value: deadlineMs === undefined ? null : new Date(deadlineMs) }];
}
