/**
 * How a live profile is read and changed: read it, open its key, decide, write on condition that nobody else has written
 * meanwhile; else again. So erasure, expiry, conversion and changes of any part of it never cross. Callers: the stores of this
 * folder that requests reach.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { type CustomerNews, customerEvent } from './customer-events.ts';
import type { ProfileType, Tenancy, Write } from './customer-types.ts';
import { CONTENT_PROJECTION } from './profile-content.ts';
import {
  byNumber,
  isLive,
  type LiveProfile,
  type ProfileCollection,
  type ProfileDocument,
  type ProfileFilter,
  profileCollection,
} from './profile-document.ts';
import { busy, notFound } from './profile-refusals.ts';
import type { Sealing } from './sealing.ts';

export type Members = Readonly<Partial<Record<keyof LiveProfile, 1>>>;

interface ProfileReading {
  readonly type?: ProfileType;
  /** Read beside {@link CONTENT_PROJECTION}. */
  readonly members?: Members;
}

export interface ProfileTarget extends ProfileReading {
  readonly tenancy: Tenancy;
  readonly customerNumber: CustomerNumber;
}

/** With the index that leads there. */
export interface ProfilePlace extends ProfileReading {
  readonly filter: ProfileFilter;
  readonly hint: string;
}

export interface OpenProfile {
  readonly document: LiveProfile;
  readonly sealing: Sealing;
}

/** What one write changes. Members that are undefined are removed. */
export interface ProfileStep {
  readonly members: Partial<Record<keyof ProfileDocument, unknown>>;
  readonly news?: readonly CustomerNews[];
}

/** As many writers may meet on one profile before the last one gives up. */
const MAX_TRIES = 100;
const MAX_PAUSE_MS = 40;
const KEPT_WORK_IDS = 50;

export class ProfileChanges {
  readonly #options: CustomerStoreOptions;
  readonly #profiles: ProfileCollection;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#profiles = profileCollection(options.connection);
    this.#now = options.now ?? (() => new Date());
  }

  /** Two indexed reads. Undefined when it is not there for this caller, or goes away meanwhile. */
  async find({ tenancy, customerNumber, ...rest }: ProfileTarget): Promise<OpenProfile | undefined> {
    return await this.findWhere({ ...byNumber(tenancy, customerNumber), ...rest });
  }

  async findWhere(place: ProfilePlace): Promise<OpenProfile | undefined> {
    const document = await this.#read(place, {});
    const sealing = document && (await this.#options.keys.find(document.keyId));
    return document && sealing ? { document, sealing } : undefined;
  }

  async get(target: ProfileTarget): Promise<OpenProfile> {
    const found = await this.find(target);
    if (!found) throw notFound();
    return found;
  }

  /**
   * Answers what `show` makes of the profile after the change; of a request that was carried out before, of the profile as it
   * is now. `decide` is called again after a lost race, and refuses by throwing.
   */
  async change<Result>(
    target: ProfileTarget,
    write: Write,
    decide: (present: OpenProfile) => ProfileStep,
    show: (profile: OpenProfile) => Result,
  ): Promise<Result> {
    const { tenancy, customerNumber, ...rest } = target;
    const place = { ...byNumber(tenancy, customerNumber), ...rest };
    let sealing: Sealing | undefined;
    for (let lost = 0; lost < MAX_TRIES; lost += 1) {
      const document = await this.#read(place, { appliedWorkIds: 1 });
      if (document) sealing ??= await this.#options.keys.find(document.keyId);
      if (!document || !sealing) throw notFound();
      if (document.appliedWorkIds.includes(write.workId)) return show({ document, sealing });
      const after = await this.#write(document, write, decide({ document, sealing }));
      if (after) return show({ document: after, sealing });
      await delay(Math.random() * Math.min(2 ** lost, MAX_PAUSE_MS));
    }
    throw busy();
  }

  async #read({ filter, hint, type, members }: ProfilePlace, more: Members): Promise<LiveProfile | null> {
    const projection = { ...CONTENT_PROJECTION, ...members, ...more };
    const options = { projection, hint, promoteBuffers: true };
    const found = await this.#profiles.findOne({ ...filter, ...isLive(this.#now(), type) }, options);
    return found as LiveProfile | null;
  }

  /** Undefined when somebody else came first. */
  async #write(document: LiveProfile, write: Write, step: ProfileStep): Promise<LiveProfile | undefined> {
    const now = this.#now();
    const events = (step.news ?? []).map((news, index) =>
      customerEvent(news, {
        customerNumber: document._id,
        organisationId: document.organisationId,
        sequence: document.sequence + index + 1,
        correlationId: write.correlationId,
        environment: this.#options.environment,
        at: now,
      }),
    );
    const { matchedCount } = await this.#profiles.updateOne(
      { _id: document._id, revision: document.revision, ...isLive(now) },
      {
        ...setOrUnset(step.members),
        $inc: { revision: 1, sequence: events.length },
        $push: {
          appliedWorkIds: { $each: [write.workId], $slice: -KEPT_WORK_IDS },
          outbox: { $each: events },
        },
      },
    );
    if (matchedCount === 0) return undefined;
    const { revision, sequence } = document;
    return { ...document, ...step.members, revision: revision + 1, sequence: sequence + events.length } as LiveProfile;
  }
}

export type SetOrUnset = Pick<mongo.UpdateFilter<ProfileDocument>, '$set' | '$unset'>;

/** Undefined members are to be absent. */
export function setOrUnset(members: ProfileStep['members']): SetOrUnset {
  const entries = Object.entries(members);
  const set = entries.filter(([, value]) => value !== undefined);
  const unset = entries.filter(([, value]) => value === undefined);
  return {
    ...(set.length > 0 && { $set: Object.fromEntries(set) }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map(([member]) => [member, ''])) }),
  };
}
