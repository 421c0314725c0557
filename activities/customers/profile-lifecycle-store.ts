/**
 * The end of profiles: expiry, conversion, erasure, and the profiles that wait for a workflow. Callers: the activities
 * of the workflows and the sweeps, never requests. Every write is one conditional update, so it may run twice, and two
 * at once.
 */
import { PendingStarts } from '../../platform/aggregate/pending-starts.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import type { ConversionOutcome } from '../../workflows/customers/messages.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { LateProfiles } from './late-profiles.ts';
import { type ProfileAggregates, profileAggregates } from './profile-changes.ts';
import { ProfileConversion } from './profile-conversion.ts';
import {
  type ProfileCollection,
  type ProfileDocument,
  type ProfileFilter,
  profileCollection,
} from './profile-document.ts';
import { endProfile, isDue } from './profile-ending.ts';
import { findRemains, isErasing, toTombstone } from './profile-tombstone.ts';

export type ExpiryState =
  /** The date may have passed. */
  | { readonly state: 'TEMPORARY'; readonly expirationDate: Date }
  /** ERASED also when there is no such profile. */
  | { readonly state: 'PERMANENT' | 'EXPIRED' | 'ERASING' | 'ERASED' };

/** A profile that needs its workflow: `temporaryProfile` while ACTIVE, else `profileErasure`. */
export interface WantedStart {
  readonly customerNumber: CustomerNumber;
  readonly organisationId: OrganisationId;
  readonly status: 'ACTIVE' | 'ERASING' | 'EXPIRED';
  readonly revision: number;
}

const EXPIRY_MEMBERS = { status: 1, profileType: 1, expirationDate: 1 } as const;
const START_MEMBERS = { organisationId: 1, status: 1, revision: 1 } as const;

export class ProfileLifecycleStore {
  readonly #options: CustomerStoreOptions;
  readonly #collection: ProfileCollection;
  readonly #profiles: ProfileAggregates;
  readonly #pending: PendingStarts<ProfileDocument>;
  readonly #conversion: ProfileConversion;
  readonly #late: LateProfiles;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#collection = profileCollection(options.connection);
    this.#profiles = profileAggregates(options);
    this.#pending = new PendingStarts(this.#collection, START_MEMBERS);
    this.#conversion = new ProfileConversion(options);
    this.#late = new LateProfiles(options);
    this.#now = options.now ?? (() => new Date());
  }

  async expiryOf(organisationId: OrganisationId, customerNumber: CustomerNumber): Promise<ExpiryState> {
    const own = { _id: customerNumber, organisationId };
    const found = await this.#collection.findOne(own, { projection: EXPIRY_MEMBERS });
    if (!found) return { state: 'ERASED' };
    if (found.status !== 'ACTIVE') return { state: found.status };
    const { profileType, expirationDate } = found;
    return profileType === 'TEMPORARY' && expirationDate
      ? { state: 'TEMPORARY', expirationDate }
      : { state: 'PERMANENT' };
  }

  /** Ends a temporary profile whose date has passed. GONE: it is erased, or never existed. */
  async expire(
    organisationId: OrganisationId,
    customerNumber: CustomerNumber,
  ): Promise<'EXPIRED' | 'NOT_YET' | 'PERMANENT' | 'GONE'> {
    const now = this.#now();
    const due = { _id: customerNumber, organisationId, ...isDue(now) };
    const ending = endProfile('TEMPORARY', { at: now, pendingStart: false });
    if (await this.#profiles.changeUnread(due, ending)) return 'EXPIRED';
    const { state } = await this.expiryOf(organisationId, customerNumber);
    if (state === 'TEMPORARY') return 'NOT_YET';
    if (state === 'ERASED') return 'GONE';
    return state === 'ERASING' ? 'PERMANENT' : state;
  }

  /**
   * Ends all profiles whose date is at or before `before`, and answers how many. Destroys their keys, and the keys of
   * profiles that had ended otherwise by then.
   */
  async endLate(before: Date): Promise<number> {
    return await this.#late.end(before);
  }

  /** Carries out the prepared conversion. Repeated with the same id, it gives the same answer. */
  async convert(
    organisationId: OrganisationId,
    customerNumber: CustomerNumber,
    conversionId: string,
  ): Promise<ConversionOutcome> {
    return await this.#conversion.convert(organisationId, customerNumber, conversionId);
  }

  /** From now on nothing reads or writes it. ERASED also when there is no such profile. */
  async beginErasing(
    organisationId: OrganisationId,
    customerNumber: CustomerNumber,
  ): Promise<'ERASING' | 'EXPIRED' | 'ERASED'> {
    const at = this.#now();
    for (const profileType of ['TEMPORARY', 'PERMANENT'] as const) {
      const active = { _id: customerNumber, organisationId, status: 'ACTIVE', profileType } as const;
      await this.#profiles.changeUnread(active, endProfile(profileType, { at, pendingStart: false }));
    }
    const { state } = await this.expiryOf(organisationId, customerNumber);
    if (state === 'TEMPORARY' || state === 'PERMANENT') throw new Error('A profile is active that was just ended');
    return state;
  }

  /**
   * From now on the data sealed for this profile is unreadable in every copy. Changes nothing unless the profile has
   * ended or is absent.
   */
  async destroyKey(organisationId: OrganisationId, customerNumber: CustomerNumber): Promise<void> {
    // By the number alone: the profile of another organisation is not absent, and keeps its key.
    const projection = { organisationId: 1, status: 1 } as const;
    const found = await this.#collection.findOne({ _id: customerNumber }, { projection });
    if (found?.status === 'ACTIVE') throw new Error('A live profile keeps its key');
    if (found && found.organisationId !== organisationId) throw new Error('The profile is of another organisation');
    await this.#options.keys.destroyOf(CUSTOMER.subjectOf(customerNumber));
  }

  /** Leaves the tombstone. */
  async removeContent(organisationId: OrganisationId, customerNumber: CustomerNumber): Promise<void> {
    const whole = { _id: customerNumber, organisationId, ...isErasing(), profileType: { $exists: true } };
    await this.#collection.updateOne(whole, toTombstone());
  }

  /** The remains of the person: names of members, and `key`; empty when nothing is left. */
  async verify(organisationId: OrganisationId, customerNumber: CustomerNumber): Promise<readonly string[]> {
    const [document, hasKey] = await Promise.all([
      this.#collection.findOne({ _id: customerNumber, organisationId }),
      this.#options.keys.existsFor(CUSTOMER.subjectOf(customerNumber)),
    ]);
    return [...(document ? findRemains(document) : []), ...(hasKey ? ['key'] : [])];
  }

  /**
   * Marks a tombstone as erased, with the event; a repeat keeps the first time. Answers when the erasure became due;
   * undefined when it was marked before.
   */
  async markErased(organisationId: OrganisationId, customerNumber: CustomerNumber): Promise<Date | undefined> {
    const bare = { _id: customerNumber, organisationId, ...isErasing(), profileType: { $exists: false } };
    let begunAt: Date | undefined;
    const changed = await this.#profiles.change({ filter: () => bare }, {}, ({ document: { erasure } }) => {
      begunAt = erasure?.begunAt;
      return {
        set: { status: 'ERASED', erasedAt: this.#now(), erasure: undefined },
        pendingStart: false,
        events: [{ type: 'CustomerErased' }],
        correlationId: erasure?.correlationId ?? '',
      };
    });
    return changed && begunAt;
  }

  /** Temporary profiles whose date is at or before `now`, earliest first. */
  async listDue(now: Date, limit: number): Promise<readonly WantedStart[]> {
    return await this.#list(isDue(now), 'expirationDate', limit);
  }

  /** Profiles whose erasure began before `before` and has not ended, longest first. */
  async listErasing(before: Date, limit: number): Promise<readonly WantedStart[]> {
    return await this.#list({ 'erasure.begunAt': { $lt: before } }, 'erasure.begunAt', limit);
  }

  /** Profiles pending since before `before`, longest first. */
  async listPendingStarts(before: Date, limit: number): Promise<readonly WantedStart[]> {
    return (await this.#pending.list(before, limit)).flatMap(toWantedStart);
  }

  /**
   * `revision` is that of the write whose start is done: a later write keeps its flag. Not needed after the profile has
   * ended.
   */
  async clearPendingStart(
    organisationId: OrganisationId,
    customerNumber: CustomerNumber,
    revision?: number,
  ): Promise<void> {
    const condition = revision === undefined ? isErasing() : { revision };
    await this.#pending.clearWhere({ _id: customerNumber, organisationId, ...condition });
  }

  /** The given customers that exist and are not erased. */
  async listKept(subjects: readonly SubjectId[]): Promise<ReadonlySet<SubjectId>> {
    const kept = { _id: { $in: subjects.map(CUSTOMER.idOf) }, status: { $ne: 'ERASED' } } as const;
    const found = await this.#collection.find(kept, { projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => CUSTOMER.subjectOf(_id)));
  }

  async #list(filter: ProfileFilter, orderedBy: string, limit: number): Promise<readonly WantedStart[]> {
    const found = await this.#collection
      .find(filter, { projection: START_MEMBERS })
      .sort({ [orderedBy]: 1 })
      .limit(limit)
      .toArray();
    return found.flatMap(toWantedStart);
  }
}

function toWantedStart({ _id, organisationId, status, revision }: ProfileDocument): WantedStart[] {
  return status === 'ERASED' ? [] : [{ customerNumber: _id, organisationId, status, revision }];
}
