/**
 * Makes a permanent profile of a temporary one as a request has prepared it: one conditional update, which alone decides between
 * it, expiry and deletion. Caller: the lifecycle store.
 */

import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { ConversionOutcome } from '../../workflows/customers/messages.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { customerEvent } from './customer-events.ts';
import { CONVERSION_PROJECTION, contentAfter, pendingOf } from './pending-conversion.ts';
import { setOrUnset } from './profile-changes.ts';
import { storeContent } from './profile-content.ts';
import {
  isLive,
  type LiveProfile,
  PROFILE_INDEX,
  type ProfileCollection,
  type ProfileDocument,
  profileCollection,
} from './profile-document.ts';
import { endHolderOf } from './profile-ending.ts';
import { busy } from './profile-refusals.ts';
import type { Sealing } from './sealing.ts';

/** As many writers may meet on one profile before the last one gives up. */
const MAX_TRIES = 100;

export class ProfileConversion {
  readonly #options: CustomerStoreOptions;
  readonly #profiles: ProfileCollection;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#profiles = profileCollection(options.connection);
    this.#now = options.now ?? (() => new Date());
  }

  /** Repeated with the same id it answers the same. */
  async convert(customerNumber: CustomerNumber, conversionId: string): Promise<ConversionOutcome> {
    for (let lost = 0; lost < MAX_TRIES; lost += 1) {
      const found = await this.#profiles.findOne(
        { _id: customerNumber },
        { projection: CONVERSION_PROJECTION, promoteBuffers: true },
      );
      const ended = this.#endedAs(found, conversionId);
      if (ended) return ended;
      const document = found as LiveProfile;
      const sealing = await this.#options.keys.find(document.keyId);
      if (!sealing) return 'EXPIRED';
      try {
        if (await this.#write(document, sealing, conversionId)) return 'CONVERTED';
      } catch (error) {
        const refused = await this.#refusal(error, document, sealing, conversionId);
        if (refused) return refused;
      }
    }
    throw busy();
  }

  #endedAs(found: ProfileDocument | null, conversionId: string): ConversionOutcome | undefined {
    if (found?.convertedBy === conversionId) return 'CONVERTED';
    if (found?.status !== 'ACTIVE') return 'EXPIRED';
    if (found.profileType === 'PERMANENT') return 'PERMANENT';
    const { expirationDate } = found;
    return expirationDate && expirationDate <= this.#now() ? 'EXPIRED' : undefined;
  }

  /** False when the profile was written meanwhile. */
  async #write(document: LiveProfile, sealing: Sealing, conversionId: string): Promise<boolean> {
    const now = this.#now();
    const entry = pendingOf(document, conversionId);
    const { organisationId, revision, sequence, searchKeys: presentKeys } = document;
    const content = contentAfter(document, sealing, entry);
    const place = { organisationId, sealing, searchKeys: this.#options.searchKeys, presentKeys };
    const stored = storeContent(content, { profileType: 'PERMANENT', ...place });
    const event = customerEvent(
      { type: 'CustomerConverted' },
      {
        customerNumber: document._id,
        organisationId,
        sequence: sequence + 1,
        correlationId: entry.correlationId,
        environment: this.#options.environment,
        at: now,
      },
    );
    const members = {
      ...stored,
      profileType: 'PERMANENT',
      expirationDate: undefined,
      convertedBy: conversionId,
      changedAt: now,
      changedBy: entry.by,
      changedByChannel: entry.channel,
      ...{ pendingConversions: undefined, pendingStart: undefined, pendingSince: undefined },
    } as const;
    const { matchedCount } = await this.#profiles.updateOne(
      { _id: document._id, revision, ...isLive(now, 'TEMPORARY') },
      { ...setOrUnset(members), $inc: { revision: 1, sequence: 1 }, $push: { outbox: event } },
    );
    return matchedCount > 0;
  }

  /** Undefined when it is to be tried again. */
  async #refusal(
    error: unknown,
    document: LiveProfile,
    sealing: Sealing,
    conversionId: string,
  ): Promise<ConversionOutcome | undefined> {
    if (isDuplicateKey(error, PROFILE_INDEX.email)) return 'DUPLICATE_EMAIL';
    if (!isDuplicateKey(error, PROFILE_INDEX.customerRef)) throw error;
    const { customerRef } = contentAfter(document, sealing, pendingOf(document, conversionId));
    const isFree = await endHolderOf(this.#profiles, document.organisationId, customerRef, this.#now());
    return isFree ? undefined : 'DUPLICATE_CUSTOMER_REF';
  }
}
