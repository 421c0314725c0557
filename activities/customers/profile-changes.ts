/**
 * Reads and changes a live profile with the aggregate kit, on condition that the profile is live and has its key. So
 * erasure, expiry, conversion and changes of any part of a profile never conflict. Callers: the stores of this folder.
 */
import type { Change, Place, Work } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import type { Sealing } from '../../platform/personal/sealing.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { CUSTOMER_EVENTS, type CustomerEvent } from './customer-events.ts';
import { keyOf } from './customer-subject.ts';
import type { ProfileType, Tenancy } from './customer-types.ts';
import { CONTENT_PROJECTION } from './profile-content.ts';
import {
  byNumber,
  isLive,
  type LiveProfile,
  type ProfileDocument,
  type ProfileFilter,
  profileCollection,
} from './profile-document.ts';
import { busy, notFound } from './profile-refusals.ts';

export type ProfileAggregates = Aggregates<ProfileDocument, CustomerEvent>;

export function profileAggregates({ connection, environment, now }: CustomerStoreOptions): ProfileAggregates {
  const collection = profileCollection(connection);
  return new Aggregates({ collection, family: CUSTOMER_EVENTS, environment, busy, ...(now && { now }) });
}

interface ProfileReading {
  readonly type?: ProfileType;
  /** Members to read in addition to {@link CONTENT_PROJECTION}. */
  readonly members?: Readonly<Partial<Record<keyof LiveProfile, 1>>>;
}

export interface ProfileTarget extends ProfileReading {
  readonly tenancy: Tenancy;
  readonly customerNumber: CustomerNumber;
}

export interface IndexedProfile extends ProfileReading {
  readonly filter: ProfileFilter;
  readonly hint: string;
}

export interface OpenProfile {
  readonly document: LiveProfile;
  readonly sealing: Sealing;
}

/** The change of one write. */
export type ProfileStep = Change<ProfileDocument, CustomerEvent>;

export class ProfileChanges {
  readonly #options: CustomerStoreOptions;
  readonly #profiles: ProfileAggregates;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#profiles = profileAggregates(options);
  }

  /** Two indexed reads. Undefined when it is absent for this caller, or ends in the time between. */
  async find({ tenancy, customerNumber, ...rest }: ProfileTarget): Promise<OpenProfile | undefined> {
    return await this.findWhere({ ...byNumber(tenancy, customerNumber), ...rest });
  }

  async findWhere(profile: IndexedProfile): Promise<OpenProfile | undefined> {
    const found = await this.#profiles.find(this.#placeOf(profile));
    return found && { document: found.document, sealing: found.opened };
  }

  async get(target: ProfileTarget): Promise<OpenProfile> {
    const found = await this.find(target);
    if (!found) throw notFound();
    return found;
  }

  /**
   * Answers `show` of the profile after the change; for a repeated request, of the profile as it is now. `decide` is
   * called again after a lost race, answers undefined for no change, and refuses by throwing.
   */
  async change<Result>(
    { tenancy, customerNumber, ...rest }: ProfileTarget,
    work: Work,
    decide: (present: OpenProfile) => ProfileStep | undefined,
    show: (profile: OpenProfile) => Result,
  ): Promise<Result> {
    const place = this.#placeOf({ ...byNumber(tenancy, customerNumber), ...rest });
    const changed = await this.#profiles.change(place, work, ({ document, opened }) =>
      decide({ document, sealing: opened }),
    );
    if (!changed) throw notFound();
    return show({ document: changed.document, sealing: changed.opened });
  }

  #placeOf({ filter, hint, type, members }: IndexedProfile): Place<ProfileDocument, LiveProfile, Sealing> {
    return {
      filter: (now) => ({ ...filter, ...isLive(now, type) }),
      hint,
      projection: { ...CONTENT_PROJECTION, ...members },
      condition: (now) => isLive(now),
      open: (document) => this.#options.keys.find(keyOf(document)),
    };
  }
}
