/**
 * How profiles end: expiry, conversion, erasure, and which of them wait for a workflow. Callers: the activities of the workflows
 * and the sweeps, never requests. Every write is one conditional update, so that it may run twice, and two at once.
 */

import type { OutboxEvent } from '../../platform/events/outbox.ts';
import type { ConversionOutcome } from '../../workflows/customers/messages.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { customerEvent } from './customer-events.ts';
import { LateProfiles } from './late-profiles.ts';
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

/** A profile whose workflow is wanted: `temporaryProfile` while ACTIVE, else `profileErasure`. */
export interface WantedStart {
  readonly customerNumber: CustomerNumber;
  readonly organisationId: OrganisationId;
  readonly status: 'ACTIVE' | 'ERASING' | 'EXPIRED';
  readonly revision: number;
}

const STANDING = { projection: { status: 1, profileType: 1, expirationDate: 1 } } as const;
const WANTED = { projection: { organisationId: 1, status: 1, revision: 1 } } as const;

export class ProfileLifecycleStore {
  readonly #options: CustomerStoreOptions;
  readonly #profiles: ProfileCollection;
  readonly #conversion: ProfileConversion;
  readonly #late: LateProfiles;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#profiles = profileCollection(options.connection);
    this.#conversion = new ProfileConversion(options);
    this.#late = new LateProfiles(options);
    this.#now = options.now ?? (() => new Date());
  }

  async expiryOf(customerNumber: CustomerNumber): Promise<ExpiryState> {
    const found = await this.#profiles.findOne({ _id: customerNumber }, STANDING);
    if (!found) return { state: 'ERASED' };
    if (found.status !== 'ACTIVE') return { state: found.status };
    const { profileType, expirationDate } = found;
    return profileType === 'TEMPORARY' && expirationDate
      ? { state: 'TEMPORARY', expirationDate }
      : { state: 'PERMANENT' };
  }

  /** Ends a temporary profile whose date has passed; GONE: erased, or never there. */
  async expire(customerNumber: CustomerNumber): Promise<'EXPIRED' | 'NOT_YET' | 'PERMANENT' | 'GONE'> {
    const now = this.#now();
    const ending = endProfile('TEMPORARY', { at: now, tell: false });
    const { matchedCount } = await this.#profiles.updateOne({ _id: customerNumber, ...isDue(now) }, ending);
    if (matchedCount > 0) return 'EXPIRED';
    const { state } = await this.expiryOf(customerNumber);
    if (state === 'TEMPORARY') return 'NOT_YET';
    if (state === 'ERASED') return 'GONE';
    return state === 'ERASING' ? 'PERMANENT' : state;
  }

  /** All whose date is at or before `before`; answers how many. Their keys go, and those of profiles that ended otherwise by then. */
  async endLate(before: Date): Promise<number> {
    return await this.#late.end(before);
  }

  /** As the request has prepared it. Repeated with the same id it answers the same. */
  async convert(customerNumber: CustomerNumber, conversionId: string): Promise<ConversionOutcome> {
    return await this.#conversion.convert(customerNumber, conversionId);
  }

  /** Sees to it that nobody reads or writes it any more. ERASED also when there is no such profile. */
  async beginErasing(customerNumber: CustomerNumber): Promise<'ERASING' | 'EXPIRED' | 'ERASED'> {
    const at = this.#now();
    for (const profileType of ['TEMPORARY', 'PERMANENT'] as const) {
      const active = { _id: customerNumber, status: 'ACTIVE', profileType } as const;
      await this.#profiles.updateOne(active, endProfile(profileType, { at, tell: false }));
    }
    const { state } = await this.expiryOf(customerNumber);
    if (state === 'TEMPORARY' || state === 'PERMANENT') throw new Error('A profile is active that was just ended');
    return state;
  }

  /** From here on nothing that was sealed for this profile can be read, in any copy. Only once it has ended. */
  async destroyKey(customerNumber: CustomerNumber): Promise<void> {
    const { state } = await this.expiryOf(customerNumber);
    if (state === 'TEMPORARY' || state === 'PERMANENT') throw new Error('A live profile keeps its key');
    await this.#options.keys.destroyOf(customerNumber);
  }

  /** Leaves the tombstone. */
  async removeContent(customerNumber: CustomerNumber): Promise<void> {
    const whole = { _id: customerNumber, ...isErasing(), profileType: { $exists: true } };
    await this.#profiles.updateOne(whole, toTombstone());
  }

  /** What is left of the person: names of members, and `key`; empty when nothing is. */
  async verify(customerNumber: CustomerNumber): Promise<readonly string[]> {
    const [document, hasKey] = await Promise.all([
      this.#profiles.findOne({ _id: customerNumber }),
      this.#options.keys.existsFor(customerNumber),
    ]);
    return [...(document ? findRemains(document) : []), ...(hasKey ? ['key'] : [])];
  }

  /**
   * Only a tombstone is, with the event that tells of it; repeated it keeps the first time. Answers since when it was to be
   * erased; undefined when it was before.
   */
  async markErased(customerNumber: CustomerNumber): Promise<Date | undefined> {
    const bare = { _id: customerNumber, ...isErasing(), profileType: { $exists: false } };
    const found = await this.#profiles.findOne(bare);
    if (!found) return undefined;
    const erasedAt = this.#now();
    const { matchedCount } = await this.#profiles.updateOne(
      // Nothing raises the sequence of a profile that has ended, but this.
      { ...bare, sequence: found.sequence },
      {
        $set: { status: 'ERASED', erasedAt },
        $unset: { erasure: '', pendingStart: '', pendingSince: '' },
        $inc: { revision: 1, sequence: 1 },
        $push: { outbox: this.#erasedEvent(found, erasedAt) },
      },
    );
    return matchedCount > 0 ? found.erasure?.begunAt : undefined;
  }

  #erasedEvent({ _id, organisationId, sequence, erasure }: ProfileDocument, at: Date): OutboxEvent {
    const correlationId = erasure?.correlationId ?? '';
    const { environment } = this.#options;
    return customerEvent(
      { type: 'CustomerErased' },
      { customerNumber: _id, organisationId, sequence: sequence + 1, correlationId, environment, at },
    );
  }

  /** Temporary profiles whose date is at or before `now`, earliest first. */
  async listDue(now: Date, limit: number): Promise<readonly WantedStart[]> {
    return await this.#list(isDue(now), 'expirationDate', limit);
  }

  /** Whose erasure began before `before` and has not ended, longest first. */
  async listErasing(before: Date, limit: number): Promise<readonly WantedStart[]> {
    return await this.#list({ 'erasure.begunAt': { $lt: before } }, 'erasure.begunAt', limit);
  }

  /** Wanted since before `before`, longest first. */
  async listPendingStarts(before: Date, limit: number): Promise<readonly WantedStart[]> {
    return await this.#list({ pendingStart: true, pendingSince: { $lt: before } }, 'pendingSince', limit);
  }

  /** Nothing when it was written since: `revision` is that of the write whose start is done. Not needed once it has ended. */
  async clearPendingStart(customerNumber: CustomerNumber, revision?: number): Promise<void> {
    await this.#profiles.updateOne(
      { _id: customerNumber, ...(revision === undefined ? isErasing() : { revision }) },
      { $unset: { pendingStart: '', pendingSince: '' } },
    );
  }

  /** Those of the given that are there and not erased: whoever has sealed something. */
  async listKept(customerNumbers: readonly CustomerNumber[]): Promise<ReadonlySet<CustomerNumber>> {
    const kept = { _id: { $in: [...customerNumbers] }, status: { $ne: 'ERASED' } } as const;
    const found = await this.#profiles.find(kept, { projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  async #list(filter: ProfileFilter, orderedBy: string, limit: number): Promise<readonly WantedStart[]> {
    const found = await this.#profiles
      .find(filter, WANTED)
      .sort({ [orderedBy]: 1 })
      .limit(limit)
      .toArray();
    return found.flatMap(toWantedStart);
  }
}

function toWantedStart({ _id, organisationId, status, revision }: ProfileDocument): WantedStart[] {
  return status === 'ERASED' ? [] : [{ customerNumber: _id, organisationId, status, revision }];
}
