/** Changes the members of a profile that callers may set. Caller: the profile store. */

import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import type { Profile, ProfileContent, Write } from './customer-types.ts';
import {
  type OpenProfile,
  type ProfileAggregates,
  ProfileChanges,
  type ProfileStep,
  type ProfileTarget,
  profileAggregates,
} from './profile-changes.ts';
import {
  type ContentPlace,
  changedMembers,
  openContent,
  openOrigin,
  sealOrigin,
  storeContent,
  toProfile,
} from './profile-content.ts';
import { PROFILE_INDEX } from './profile-document.ts';
import { endHolderOf, type ReferenceOwner } from './profile-ending.ts';
import { duplicateCustomerRef, duplicateEmail } from './profile-refusals.ts';

/** Pure; called again after a lost race. Its errors go to the caller. */
export type ProfileChange = (present: ProfileContent) => ProfileContent;

export class ProfileUpdate {
  readonly #options: CustomerStoreOptions;
  readonly #profiles: ProfileAggregates;
  readonly #changes: ProfileChanges;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#profiles = profileAggregates(options);
    this.#changes = new ProfileChanges(options);
    this.#now = options.now ?? (() => new Date());
  }

  async update(target: ProfileTarget, change: ProfileChange, write: Write): Promise<Profile> {
    for (;;) {
      let wanted: ReferenceOwner | undefined;
      const decide = (present: OpenProfile): ProfileStep => {
        const before = openContent(present.document, present.sealing);
        const after = change(before);
        const step = this.#step(present, before, after, write);
        wanted = { organisationId: present.document.organisationId, customerRefKey: step.set.customerRefKey };
        return step;
      };
      try {
        return await this.#changes.change({ ...target, members: { searchKeys: 1 } }, write, decide, show);
      } catch (error) {
        await this.#resolve(error, wanted);
      }
    }
  }

  /** Replaces the hash of an unchanged password, unless it has been replaced already. Throws NOT_FOUND. */
  async renewPasswordHash(target: ProfileTarget, from: string, to: string): Promise<void> {
    const decide = (present: OpenProfile): ProfileStep | undefined => {
      const before = openContent(present.document, present.sealing);
      if (before.passwordHash !== from) return undefined;
      return { set: storeContent({ ...before, passwordHash: to }, this.#placeOf(present)) };
    };
    await this.#changes.change({ ...target, members: { searchKeys: 1 } }, {}, decide, show);
  }

  /** Returns when the caller must try again: a profile whose date has passed held the reference. */
  async #resolve(error: unknown, wanted: ReferenceOwner | undefined): Promise<void> {
    if (isDuplicateKey(error, PROFILE_INDEX.email)) throw duplicateEmail();
    if (!wanted || !isDuplicateKey(error, PROFILE_INDEX.customerRef)) throw error;
    if (!(await endHolderOf(this.#profiles, wanted, this.#now()))) throw duplicateCustomerRef();
  }

  #placeOf({ document, sealing }: OpenProfile): ContentPlace {
    const { profileType, organisationId, searchKeys: presentKeys } = document;
    return { profileType, organisationId, sealing, searchKeys: this.#options.searchKeys, presentKeys };
  }

  #step(present: OpenProfile, before: ProfileContent, after: ProfileContent, { by, channel }: Write) {
    const { document, sealing } = present;
    const origin = openOrigin(document, sealing);
    const { changedBy, changedByChannel } = origin;
    const author = { changedBy: by ?? changedBy, changedByChannel: channel ?? changedByChannel };
    const changed = changedMembers(before, after);
    return {
      set: {
        ...storeContent(after, this.#placeOf(present)),
        changedAt: this.#now(),
        origin: sealOrigin({ ...origin, ...author }, sealing),
      },
      ...(changed.includes('expirationDate') && { pendingStart: true }),
      ...(changed.length > 0 && { events: [{ type: 'CustomerUpdated', changed } as const] }),
    };
  }
}

function show({ document, sealing }: OpenProfile): Profile {
  return toProfile(document, sealing);
}
