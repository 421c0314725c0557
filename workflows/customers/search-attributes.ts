/** Search attributes by which operators find the workflows of customers. Never encrypted: no personal data. */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import type { OrganisationId } from '../shared/ids.ts';

export const ORGANISATION_ID = defineSearchAttributeKey('OrganisationId', SearchAttributeType.KEYWORD);
export const EXPIRE_AT = defineSearchAttributeKey('ExpireAt', SearchAttributeType.DATETIME);

export function organisationAttributes(organisationId: OrganisationId): SearchAttributePair[] {
  return [{ key: ORGANISATION_ID, value: String(organisationId) }];
}

export function expireAtAttribute(expireAt: Date): SearchAttributePair {
  return { key: EXPIRE_AT, value: expireAt };
}
