/**
 * The changes of a conversion, sealed in the temporary profile between the request and the workflow. They are a
 * difference, so other changes in the time between are not lost. Callers: the preparation and the execution of a
 * conversion.
 */
import type { Sealing } from '../../platform/personal/sealing.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ProfileContent, ProfileOrigin } from './customer-types.ts';
import { CONTENT_PROJECTION, openContent, openOrigin } from './profile-content.ts';
import type { LiveProfile, PendingConversion } from './profile-document.ts';

export const CONVERSION_PROJECTION = {
  ...CONTENT_PROJECTION,
  searchKeys: 1,
  pendingConversions: 1,
  erasedAt: 1,
} as const;

/** Null: the member must be absent. */
type Difference = { readonly [Member in keyof ProfileContent]?: ProfileContent[Member] | null };

const MEMBERS = [
  ...(['firstName', 'surname', 'email', 'countryCode', 'telephoneNumberNoCountryCode', 'dateOfBirth'] as const),
  ...(['passwordHash', 'customerRef', 'languagePreference'] as const),
];
/** Always written, so that a change between the two writes removes none of them. */
const NEEDED = new Set<string>(['firstName', 'surname', 'email']);

/** The party that asks for the conversion. */
export type Author = Pick<ProfileOrigin, 'changedBy' | 'changedByChannel'>;

export interface PreparedChange {
  readonly before: ProfileContent;
  readonly after: ProfileContent;
  readonly author: Author;
  readonly conversionId: string;
}

interface SealedChange {
  readonly difference: Difference;
  readonly author: Author;
}

export function sealDifference({ before, after, author, conversionId }: PreparedChange, sealing: Sealing): Buffer {
  const difference = Object.fromEntries(
    MEMBERS.filter((member) => NEEDED.has(member) || before[member] !== after[member]).map((member) => [
      member,
      after[member] ?? null,
    ]),
  );
  return sealing.seal(purposeOf(conversionId), { difference, author } satisfies SealedChange);
}

export interface ConvertedContent {
  readonly content: ProfileContent;
  readonly origin: ProfileOrigin;
}

export function contentAfter(document: LiveProfile, sealing: Sealing, entry: PendingConversion): ConvertedContent {
  const { expirationDate: _, ...before } = openContent(document, sealing);
  const { difference, author } = sealing.open<SealedChange>(purposeOf(entry.conversionId), entry.sealed);
  const members = Object.entries({ ...before, ...difference }).filter(([, value]) => value !== null);
  return {
    content: Object.fromEntries(members) as unknown as ProfileContent,
    origin: { ...openOrigin(document, sealing), ...author },
  };
}

export function pendingOf(document: LiveProfile, conversionId: string): PendingConversion {
  const entry = document.pendingConversions?.find((each) => each.conversionId === conversionId);
  if (!entry) throw new ServiceError('INVALID_STATE', 'The conversion was not prepared, or too long ago');
  return entry;
}

function purposeOf(conversionId: string): string {
  return `conversion/${conversionId}`;
}
