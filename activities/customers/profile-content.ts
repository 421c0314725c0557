/**
 * Translates between a profile's content for callers and its stored form: sealed personal data, and keyed hashes to
 * find it by. Callers: the stores of this folder. Pure except for the nonces of sealing.
 */
import type { Sealing } from '../../platform/personal/sealing.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { Profile, ProfileContent, ProfileType } from './customer-types.ts';
import type { LiveProfile } from './profile-document.ts';
import { type SearchKeys, type SearchTerm, searchTerms } from './search-keys.ts';

/** Purpose of the sealing of a profile's personal data. */
const PURPOSE = 'profile';

const SEALED_MEMBERS = [
  'firstName',
  'surname',
  'email',
  'countryCode',
  'telephoneNumberNoCountryCode',
  'dateOfBirth',
  'passwordHash',
] as const;

type SealedContent = Pick<ProfileContent, (typeof SEALED_MEMBERS)[number]>;

/** Members that are read and written with the content of a profile. */
export const CONTENT_PROJECTION = {
  organisationId: 1,
  status: 1,
  revision: 1,
  sequence: 1,
  profileType: 1,
  customerRef: 1,
  languagePreference: 1,
  createdAt: 1,
  createdBy: 1,
  createdByChannel: 1,
  changedAt: 1,
  changedBy: 1,
  changedByChannel: 1,
  expirationDate: 1,
  keyId: 1,
  sealed: 1,
  convertedBy: 1,
} as const;

export function openContent(document: LiveProfile, sealing: Sealing): ProfileContent {
  const { customerRef, languagePreference, expirationDate } = document;
  return {
    ...sealing.open<SealedContent>(PURPOSE, document.sealed),
    customerRef,
    languagePreference,
    ...(expirationDate && { expirationDate }),
  };
}

export function toProfile(document: LiveProfile, sealing: Sealing): Profile {
  const { passwordHash: _, ...content } = openContent(document, sealing);
  return {
    ...content,
    customerNumber: document._id,
    organisationId: document.organisationId,
    profileType: document.profileType,
    status: 'ACTIVE',
    createdAt: document.createdAt,
    createdBy: document.createdBy,
    createdByChannel: document.createdByChannel,
    changedAt: document.changedAt,
    changedBy: document.changedBy,
    changedByChannel: document.changedByChannel,
    revision: document.revision,
  };
}

/** Members of the document that follow from the content; undefined ones must be absent. */
export type StoredContent = Pick<LiveProfile, 'customerRef' | 'languagePreference' | 'sealed' | 'searchKeys'> & {
  readonly expirationDate: Date | undefined;
  readonly emailKey: string | undefined;
};

export interface ContentPlace {
  readonly profileType: ProfileType;
  readonly organisationId: OrganisationId;
  readonly sealing: Sealing;
  readonly searchKeys: SearchKeys;
  /** Keys of addresses do not follow from the content, so they stay. */
  readonly presentKeys: readonly string[];
}

export function storeContent(content: ProfileContent, place: ContentPlace): StoredContent {
  const { profileType, organisationId, sealing, searchKeys, presentKeys } = place;
  const expirationDate = profileType === 'TEMPORARY' ? content.expirationDate : undefined;
  // A temporary profile without a date would live for ever.
  if (profileType === 'TEMPORARY' && !expirationDate) throw new Error('A temporary profile needs an expiration date');
  const personal = Object.fromEntries(
    SEALED_MEMBERS.flatMap((member) => (content[member] === undefined ? [] : [[member, content[member]]])),
  );
  const { email } = content;
  return {
    customerRef: content.customerRef,
    languagePreference: content.languagePreference,
    expirationDate,
    sealed: sealing.seal(PURPOSE, personal),
    emailKey: email === undefined ? undefined : searchKeys.hash(organisationId, 'email', email),
    searchKeys: [
      ...termsOf(content).map((term) => searchKeys.term(organisationId, ...term)),
      ...presentKeys.filter((term) => term.startsWith('postCode:')),
    ],
  };
}

function termsOf(content: ProfileContent): readonly SearchTerm[] {
  const { countryCode, telephoneNumberNoCountryCode: number, ...texts } = content;
  const phone = countryCode === undefined || number === undefined ? undefined : { countryCode, number };
  return searchTerms({ ...texts, phone });
}

const COMPARED = [...SEALED_MEMBERS, 'customerRef', 'languagePreference', 'expirationDate'] as const;

/** Names of the members that differ, as callers know them. */
export function changedMembers(before: ProfileContent, after: ProfileContent): readonly string[] {
  return COMPARED.filter((member) => before[member]?.valueOf() !== after[member]?.valueOf()).map((member) =>
    member === 'passwordHash' ? 'password' : member,
  );
}
