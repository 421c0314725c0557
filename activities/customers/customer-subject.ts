/**
 * The subject and the key that a profile names. Callers: code that seals, keeps or erases personal data of a customer.
 */
import type { OwnedSubject } from '../../platform/personal/subject-id.ts';
import type { NamedKey } from '../../platform/personal/subject-keys.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';

interface OwnedProfile {
  readonly _id: CustomerNumber;
  readonly organisationId: OrganisationId;
}

export function ownerOf({ _id, organisationId }: OwnedProfile): OwnedSubject {
  return { subject: CUSTOMER.subjectOf(_id), organisationId };
}

/** The key that the profile names. */
export function keyOf(profile: OwnedProfile & { readonly keyId: string }): NamedKey {
  return { keyId: profile.keyId, ...ownerOf(profile) };
}
