/**
 * Translates between a profile's content for callers and its stored form: sealed personal data, and keyed hashes to
 * find it by. Callers: the stores of this folder. Pure except for the nonces of sealing.
 */
import type { Sealing } from '../../platform/personal/sealing.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { Profile, ProfileContent, ProfileOrigin, ProfileType } from './customer-types.ts';
import type { LiveProfile } from './profile-document.ts';
import { type SearchKeys, type SearchTerm, searchTerms } from './search-keys.ts';

/** Purposes of the sealing. */
const PURPOSE = 'profile';
const ORIGIN_PURPOSE = 'origin';

const SEALED_MEMBERS = [
  'firstName',
  'surname',
  'email',
  'countryCode',
  'telephoneNumberNoCountryCode',
  'dateOfBirth',
  'passwordHash',
  'customerRef',
] as const;

type SealedContent = Pick<ProfileContent, (typeof SEALED_MEMBERS)[number]>;

/** Members that are read and written with the content of a profile. */
export const CONTENT_PROJECTION = {
  organisationId: 1,
  status: 1,
  revision: 1,
  sequence: 1,
  profileType: 1,
  languagePreference: 1,
  createdAt: 1,
  changedAt: 1,
  expirationDate: 1,
  keyId: 1,
  sealed: 1,
  origin: 1,
  convertedBy: 1,
} as const;

export function openContent(document: LiveProfile, sealing: Sealing): ProfileContent {
  const { languagePreference, expirationDate } = document;
  return {
    ...sealing.open<SealedContent>(PURPOSE, document.sealed),
    languagePreference,
    ...(expirationDate && { expirationDate }),
  };
}

export function openOrigin({ origin }: Pick<LiveProfile, 'origin'>, sealing: Sealing): ProfileOrigin {
  return sealing.open<ProfileOrigin>(ORIGIN_PURPOSE, origin);
}

export function sealOrigin(
  { createdBy, createdByChannel, changedBy, changedByChannel }: ProfileOrigin,
  sealing: Sealing,
): Buffer {
  return sealing.seal(ORIGIN_PURPOSE, { createdBy, createdByChannel, changedBy, changedByChannel });
}

export function toProfile(document: LiveProfile, sealing: Sealing): Profile {
  const { passwordHash: _, ...content } = openContent(document, sealing);
  return {
    ...content,
    ...openOrigin(document, sealing),
    customerNumber: document._id,
    organisationId: document.organisationId,
    profileType: document.profileType,
    status: 'ACTIVE',
    createdAt: document.createdAt,
    changedAt: document.changedAt,
    revision: document.revision,
  };
}

/** The keyed hashes of a profile's content. */
export type ContentKeys = Pick<LiveProfile, 'customerRefKey' | 'searchKeys'> & {
  readonly emailKey: string | undefined;
};

/** Members of the document that follow from the content; undefined ones must be absent. */
export type StoredContent = ContentKeys &
  Pick<LiveProfile, 'languagePreference' | 'sealed'> & { readonly expirationDate: Date | undefined };

export interface ContentPlace {
  readonly profileType: ProfileType;
  readonly organisationId: OrganisationId;
  readonly sealing: Sealing;
  readonly searchKeys: SearchKeys;
  /** Keys of addresses do not follow from the content, so they stay. */
  readonly presentKeys: readonly string[];
}

export function storeContent(content: ProfileContent, place: ContentPlace): StoredContent {
  const { profileType, sealing } = place;
  const expirationDate = profileType === 'TEMPORARY' ? content.expirationDate : undefined;
  // A temporary profile without a date would live for ever.
  if (profileType === 'TEMPORARY' && !expirationDate) throw new Error('A temporary profile needs an expiration date');
  return {
    ...contentKeys(content, place),
    languagePreference: content.languagePreference,
    expirationDate,
    sealed: sealContent(content, sealing),
  };
}

export function sealContent(content: ProfileContent, sealing: Sealing): Buffer {
  const personal = SEALED_MEMBERS.flatMap((member) =>
    content[member] === undefined ? [] : [[member, content[member]]],
  );
  return sealing.seal(PURPOSE, Object.fromEntries(personal));
}

export function contentKeys(
  content: ProfileContent,
  { organisationId, searchKeys, presentKeys }: Pick<ContentPlace, 'organisationId' | 'searchKeys' | 'presentKeys'>,
): ContentKeys {
  const { email } = content;
  return {
    customerRefKey: searchKeys.referenceHash(organisationId, content.customerRef),
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

const COMPARED = [...SEALED_MEMBERS, 'languagePreference', 'expirationDate'] as const;

/** Names of the members that differ, as callers know them. */
export function changedMembers(before: ProfileContent, after: ProfileContent): readonly string[] {
  return COMPARED.filter((member) => before[member]?.valueOf() !== after[member]?.valueOf()).map((member) =>
    member === 'passwordHash' ? 'password' : member,
  );
}
