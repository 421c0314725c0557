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
import { changedMembers, openContent, storeContent, toProfile } from './profile-content.ts';
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
        wanted = { organisationId: present.document.organisationId, customerRef: after.customerRef };
        return this.#step(present, before, after, write);
      };
      try {
        return await this.#changes.change({ ...target, members: { searchKeys: 1 } }, write, decide, show);
      } catch (error) {
        await this.#resolve(error, wanted);
      }
    }
  }

  /** Returns when the caller must try again: a profile whose date has passed held the reference. */
  async #resolve(error: unknown, wanted: ReferenceOwner | undefined): Promise<void> {
    if (isDuplicateKey(error, PROFILE_INDEX.email)) throw duplicateEmail();
    if (!wanted || !isDuplicateKey(error, PROFILE_INDEX.customerRef)) throw error;
    if (!(await endHolderOf(this.#profiles, wanted, this.#now()))) throw duplicateCustomerRef();
  }

  #step(
    { document, sealing }: OpenProfile,
    before: ProfileContent,
    after: ProfileContent,
    { by = document.changedBy, channel = document.changedByChannel }: Write,
  ): ProfileStep {
    const now = this.#now();
    const { profileType, organisationId, searchKeys: presentKeys } = document;
    const place = { profileType, organisationId, sealing, searchKeys: this.#options.searchKeys, presentKeys };
    const changed = changedMembers(before, after);
    return {
      set: {
        ...storeContent(after, place),
        changedAt: now,
        changedBy: by,
        changedByChannel: channel,
      },
      ...(changed.includes('expirationDate') && { pendingStart: true }),
      ...(changed.length > 0 && { events: [{ type: 'CustomerUpdated', changed }] }),
    };
  }
}

function show({ document, sealing }: OpenProfile): Profile {
  return toProfile(document, sealing);
}
