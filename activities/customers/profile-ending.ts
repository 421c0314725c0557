/**
 * Only this write takes a profile out of ACTIVE, by deletion or by expiry, in one conditional update. It releases
 * unique values (reference, e-mail, cards), and from then on no read finds the profile. Callers: the stores of this
 * folder.
 */
import { randomUUID } from 'node:crypto';
import type { UnreadChange } from '../../platform/aggregate/conditional-update.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { ProfileType } from './customer-types.ts';
import type { ProfileAggregates } from './profile-changes.ts';
import type { ProfileDocument, ProfileFilter, ProfileStatus } from './profile-document.ts';

export interface Ending {
  readonly at: Date;
  /** Correlation id of the request that ends it; an expiry gets its own. */
  readonly correlationId?: string;
  readonly workId?: string;
  /** True when no running workflow continues with it: one must be started or signalled. */
  readonly pendingStart: boolean;
}

const GIVEN_UP = {
  customerRefKey: undefined,
  emailKey: undefined,
  searchKeys: undefined,
  eCards: undefined,
  pendingConversions: undefined,
} as const;

export function endingStatus(type: ProfileType): ProfileStatus {
  return type === 'PERMANENT' ? 'ERASING' : 'EXPIRED';
}

/** Write on condition that the profile is ACTIVE and of this type. */
export function endProfile(
  type: ProfileType,
  { at, correlationId = randomUUID(), workId, pendingStart }: Ending,
): UnreadChange<ProfileDocument> {
  return {
    set: {
      ...GIVEN_UP,
      status: endingStatus(type),
      erasure: { begunAt: at, correlationId, ...(workId !== undefined && { workId }) },
    },
    ...(pendingStart && { pendingStart }),
  };
}

/** Temporary profiles whose date has passed and which no process has ended yet. */
export function isDue(now: Date) {
  return { profileType: 'TEMPORARY', status: 'ACTIVE', expirationDate: { $lte: now } } as const satisfies ProfileFilter;
}

export interface ReferenceOwner {
  readonly organisationId: OrganisationId;
  readonly customerRefKey: string;
}

/** Ends the expired profile that still holds this reference, so that it is free. False when there is none. */
export async function endHolderOf(
  profiles: Pick<ProfileAggregates, 'changeUnread'>,
  { organisationId, customerRefKey }: ReferenceOwner,
  now: Date,
): Promise<boolean> {
  const held: ProfileFilter = { organisationId, customerRefKey, ...isDue(now) };
  return await profiles.changeUnread(held, endProfile('TEMPORARY', { at: now, pendingStart: true }));
}
