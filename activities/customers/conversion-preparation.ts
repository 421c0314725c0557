/**
 * The request's part of a conversion: it seals the changes into the profile itself, so that no personal data passes
 * through Temporal. Caller: the profile store. profile-conversion.ts carries it out.
 */
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import type { Sealing } from '../../platform/personal/sealing.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { keyOf } from './customer-subject.ts';
import type { Profile, Tenancy, Write } from './customer-types.ts';
import { CONVERSION_PROJECTION, sealDifference } from './pending-conversion.ts';
import { type ProfileAggregates, type ProfileStep, profileAggregates } from './profile-changes.ts';
import { openContent, openOrigin, toProfile } from './profile-content.ts';
import {
  byNumber,
  isLive,
  type LiveProfile,
  type PendingConversion,
  type ProfileDocument,
} from './profile-document.ts';
import { notFound } from './profile-refusals.ts';
import type { ProfileChange } from './profile-update.ts';

export type PreparedConversion = { readonly conversionId: string } | { readonly converted: Profile };

/** After its erasure a profile counts as expired for this long; then it counts as absent. */
const TOMBSTONE_SHOWN_MS = 24 * 3_600_000;
/** Only the newest are kept; fewer are ever in progress at once. */
const KEPT_PENDING = 200;

export class ConversionPreparation {
  readonly #options: CustomerStoreOptions;
  readonly #profiles: ProfileAggregates;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#profiles = profileAggregates(options);
    this.#now = options.now ?? (() => new Date());
  }

  async prepare(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    change: ProfileChange,
    write: Write,
  ): Promise<PreparedConversion> {
    const conversionId = write.workId;
    const place = this.#placeOf(tenancy, customerNumber, conversionId);
    // The entry itself identifies a repeat, so the work needs no id.
    const changed = await this.#profiles.change(place, {}, ({ document, opened: sealing }) => {
      this.#refuseEnded(document, conversionId);
      if (document.profileType === 'PERMANENT') return undefined;
      if (document.pendingConversions?.some((each) => each.conversionId === conversionId)) return undefined;
      const before = openContent(document, sealing);
      const { changedBy, changedByChannel } = openOrigin(document, sealing);
      const author = { changedBy: write.by ?? changedBy, changedByChannel: write.channel ?? changedByChannel };
      const sealed = sealDifference({ before, after: change(before), author, conversionId }, sealing);
      return this.#step(document, sealed, write);
    });
    if (!changed) throw notFound();
    const { document, opened } = changed;
    return document.profileType === 'PERMANENT' ? { converted: toProfile(document, opened) } : { conversionId };
  }

  #placeOf(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    conversionId: string,
  ): Place<ProfileDocument, LiveProfile, Sealing> {
    const { filter, hint } = byNumber(tenancy, customerNumber);
    return {
      filter: () => filter,
      hint,
      projection: CONVERSION_PROJECTION,
      condition: (now) => isLive(now, 'TEMPORARY'),
      open: async (document) => {
        this.#refuseEnded(document, conversionId);
        return await this.#options.keys.find(keyOf(document));
      },
    };
  }

  /** Throws unless the profile is temporary and live, or this very conversion has made it permanent. */
  #refuseEnded(found: ProfileDocument, conversionId: string): void {
    const now = this.#now();
    if (found.erasedAt && found.erasedAt.getTime() + TOMBSTONE_SHOWN_MS <= now.getTime()) throw notFound();
    const byThis = found.convertedBy === conversionId;
    const isExpired = found.expirationDate !== undefined && found.expirationDate <= now;
    if (found.status !== 'ACTIVE' || isExpired || (found.profileType === 'PERMANENT' && !byThis)) {
      throw new ServiceError('INVALID_STATE', 'The profile is permanent already, or has expired');
    }
  }

  #step(document: LiveProfile, sealed: Buffer, write: Write): ProfileStep {
    const { pendingConversions = [] } = document;
    const { workId: conversionId, correlationId } = write;
    const entry: PendingConversion = { conversionId, sealed, correlationId, preparedAt: this.#now() };
    return { set: { pendingConversions: [...pendingConversions, entry].slice(-KEPT_PENDING) } };
  }
}
