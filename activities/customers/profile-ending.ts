/**
 * The one way out of ACTIVE: by deletion or by expiry, in one conditional update. What others may now have (reference, e-mail,
 * cards) is given up in it, and nothing finds the profile any more. Callers: the stores of this folder.
 */
import { randomUUID } from 'node:crypto';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { ProfileType } from './customer-types.ts';
import type { ProfileCollection, ProfileDocument, ProfileFilter, ProfileStatus } from './profile-document.ts';

export interface Ending {
  readonly at: Date;
  /** Of the request that ends it; an expiry gets one of its own. */
  readonly correlationId?: string;
  readonly workId?: string;
  /** Nobody is there who goes on with it: a workflow is to be told. */
  readonly tell: boolean;
}

const GIVEN_UP: readonly (keyof ProfileDocument)[] = [
  ...(['customerRef', 'emailKey', 'searchKeys', 'eCards', 'pendingConversions'] as const),
];

export function endingStatus(type: ProfileType): ProfileStatus {
  return type === 'PERMANENT' ? 'ERASING' : 'EXPIRED';
}

/** To be written on condition that the profile is ACTIVE and of this type. */
export function endProfile(type: ProfileType, { at, correlationId = randomUUID(), workId, tell }: Ending) {
  return {
    $set: {
      status: endingStatus(type),
      erasure: { begunAt: at, correlationId, ...(workId !== undefined && { workId }) },
      ...(tell && { pendingStart: true as const, pendingSince: at }),
    },
    $unset: Object.fromEntries(GIVEN_UP.map((member) => [member, '' as const])),
    $inc: { revision: 1 },
  };
}

/** What is due though nobody has noted it yet. */
export function isDue(now: Date) {
  return { profileType: 'TEMPORARY', status: 'ACTIVE', expirationDate: { $lte: now } } as const satisfies ProfileFilter;
}

/** Somebody wants this reference: when a profile holds it whose date has passed, it ends now. False when none does. */
export async function endHolderOf(
  profiles: ProfileCollection,
  organisationId: OrganisationId,
  customerRef: string,
  now: Date,
): Promise<boolean> {
  const held = { organisationId, customerRef, ...isDue(now) };
  const { modifiedCount } = await profiles.updateOne(held, endProfile('TEMPORARY', { at: now, tell: true }));
  return modifiedCount > 0;
}
