/**
 * The request's part of making a permanent profile of a temporary one: says what is to change, sealed, in the profile itself, so
 * that no personal data goes through Temporal. Caller: the profile store. Decides nothing: see profile-conversion.ts.
 */
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import type { Profile, Tenancy, Write } from './customer-types.ts';
import { CONVERSION_PROJECTION, sealDifference } from './pending-conversion.ts';
import { openContent, toProfile } from './profile-content.ts';
import {
  byNumber,
  isLive,
  type LiveProfile,
  type PendingConversion,
  type ProfileCollection,
  type ProfileDocument,
  profileCollection,
} from './profile-document.ts';
import { busy, notFound } from './profile-refusals.ts';
import type { ProfileChange } from './profile-update.ts';
import type { Sealing } from './sealing.ts';

export type PreparedConversion = { readonly conversionId: string } | { readonly converted: Profile };

/** For so long callers are told that the profile has expired; afterwards that there is none. */
const TOMBSTONE_TOLD_MS = 24 * 3_600_000;
/** The last ones; so many are never under way. */
const KEPT_PENDING = 200;
/** A profile that changes between the look and the write is looked at again. */
const MAX_TRIES = 20;

export class ConversionPreparation {
  readonly #options: CustomerStoreOptions;
  readonly #profiles: ProfileCollection;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#profiles = profileCollection(options.connection);
    this.#now = options.now ?? (() => new Date());
  }

  async prepare(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    change: ProfileChange,
    write: Write,
  ): Promise<PreparedConversion> {
    const { filter, hint } = byNumber(tenancy, customerNumber);
    const conversionId = write.workId;
    for (let lost = 0; lost < MAX_TRIES; lost += 1) {
      const found = await this.#profiles.findOne(filter, {
        projection: CONVERSION_PROJECTION,
        hint,
        promoteBuffers: true,
      });
      const { document, sealing } = await this.#open(found, conversionId);
      if (document.profileType === 'PERMANENT') return { converted: toProfile(document, sealing) };
      if (document.pendingConversions?.some((each) => each.conversionId === conversionId)) return { conversionId };
      const before = openContent(document, sealing);
      const sealed = sealDifference({ before, after: change(before), conversionId }, sealing);
      // It holds what changes, so it fits whatever the profile has become meanwhile.
      const { matchedCount } = await this.#profiles.updateOne(
        {
          _id: document._id,
          'pendingConversions.conversionId': { $ne: conversionId },
          ...isLive(this.#now(), 'TEMPORARY'),
        },
        {
          $push: { pendingConversions: { $each: [this.#entry(document, sealed, write)], $slice: -KEPT_PENDING } },
          $inc: { revision: 1 },
        },
      );
      if (matchedCount > 0) return { conversionId };
    }
    throw busy();
  }

  /** What the request finds that wants to convert; throws when there is nothing for it to do. */
  async #open(
    found: ProfileDocument | null,
    conversionId: string,
  ): Promise<{ document: LiveProfile; sealing: Sealing }> {
    if (!found) throw notFound();
    const now = this.#now();
    if (found.erasedAt && found.erasedAt.getTime() + TOMBSTONE_TOLD_MS <= now.getTime()) throw notFound();
    const byThis = found.convertedBy !== undefined && found.convertedBy === conversionId;
    const isExpired = found.expirationDate !== undefined && found.expirationDate <= now;
    if (found.status !== 'ACTIVE' || isExpired || (found.profileType === 'PERMANENT' && !byThis)) {
      throw new ServiceError('INVALID_STATE', 'The profile is permanent already, or has expired');
    }
    const sealing = found.keyId === undefined ? undefined : await this.#options.keys.find(found.keyId);
    if (!sealing) throw notFound();
    return { document: found as LiveProfile, sealing };
  }

  #entry(document: LiveProfile, sealed: Buffer, write: Write): PendingConversion {
    const { changedBy, changedByChannel } = document;
    const { workId: conversionId, correlationId, by = changedBy, channel = changedByChannel } = write;
    return { conversionId, sealed, correlationId, preparedAt: this.#now(), by, channel };
  }
}
