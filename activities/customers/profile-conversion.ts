/**
 * Carries out a prepared conversion of a temporary profile to a permanent one: one conditional update, which alone
 * decides between conversion, expiry and deletion. Caller: the lifecycle store.
 */
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Sealing } from '../../platform/personal/sealing.ts';
import type { ConversionOutcome } from '../../workflows/customers/messages.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { keyOf } from './customer-subject.ts';
import { CONVERSION_PROJECTION, contentAfter, pendingOf } from './pending-conversion.ts';
import { type ProfileAggregates, type ProfileStep, profileAggregates } from './profile-changes.ts';
import { sealOrigin, storeContent } from './profile-content.ts';
import { isLive, type LiveProfile, PROFILE_INDEX, type ProfileDocument } from './profile-document.ts';
import { endHolderOf, type ReferenceOwner } from './profile-ending.ts';

/** Without a key there is nothing left to convert. */
interface Opened {
  readonly sealing: Sealing | undefined;
}

export class ProfileConversion {
  readonly #options: CustomerStoreOptions;
  readonly #profiles: ProfileAggregates;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#profiles = profileAggregates(options);
    this.#now = options.now ?? (() => new Date());
  }

  /**
   * Repeated with the same id, it gives the same answer at any later time: the profile keeps the id of its conversion.
   */
  async convert(
    organisationId: OrganisationId,
    customerNumber: CustomerNumber,
    conversionId: string,
  ): Promise<ConversionOutcome> {
    for (;;) {
      let wanted: ReferenceOwner | undefined;
      const decide = (document: ProfileDocument, sealing: Sealing | undefined): ProfileStep | undefined => {
        if (!sealing || this.#endedAs(document, conversionId)) return undefined;
        const step = this.#step(document as LiveProfile, sealing, conversionId);
        wanted = { organisationId, customerRefKey: step.set.customerRefKey };
        return step;
      };
      try {
        const place = this.#placeOf(organisationId, customerNumber, conversionId);
        const changed = await this.#profiles.change(place, {}, ({ document, opened }) =>
          decide(document, opened.sealing),
        );
        if (changed?.outcome === 'WRITTEN') return 'CONVERTED';
        return (changed && this.#endedAs(changed.document, conversionId)) ?? 'EXPIRED';
      } catch (error) {
        const refused = await this.#refusal(error, wanted);
        if (refused) return refused;
      }
    }
  }

  #placeOf(
    organisationId: OrganisationId,
    customerNumber: CustomerNumber,
    conversionId: string,
  ): Place<ProfileDocument, ProfileDocument, Opened> {
    return {
      filter: () => ({ _id: customerNumber, organisationId }),
      projection: CONVERSION_PROJECTION,
      condition: (now) => isLive(now, 'TEMPORARY'),
      open: async (document) => {
        const { keyId } = document;
        const isOpen = keyId !== undefined && !this.#endedAs(document, conversionId);
        return { sealing: isOpen ? await this.#options.keys.find(keyOf({ ...document, keyId })) : undefined };
      },
    };
  }

  #endedAs(found: ProfileDocument, conversionId: string): ConversionOutcome | undefined {
    if (found.convertedBy === conversionId) return 'CONVERTED';
    if (found.status !== 'ACTIVE') return 'EXPIRED';
    if (found.profileType === 'PERMANENT') return 'PERMANENT';
    const { expirationDate } = found;
    return expirationDate && expirationDate <= this.#now() ? 'EXPIRED' : undefined;
  }

  #step(document: LiveProfile, sealing: Sealing, conversionId: string) {
    const entry = pendingOf(document, conversionId);
    const { organisationId, searchKeys: presentKeys } = document;
    const place = { organisationId, sealing, searchKeys: this.#options.searchKeys, presentKeys };
    const { content, origin } = contentAfter(document, sealing, entry);
    return {
      set: {
        ...storeContent(content, { profileType: 'PERMANENT', ...place }),
        profileType: 'PERMANENT',
        expirationDate: undefined,
        convertedBy: conversionId,
        changedAt: this.#now(),
        origin: sealOrigin(origin, sealing),
        pendingConversions: undefined,
      },
      pendingStart: false,
      events: [{ type: 'CustomerConverted' }],
      correlationId: entry.correlationId,
    } as const;
  }

  /** Undefined when the caller must try again: a profile whose date has passed held the reference. */
  async #refusal(error: unknown, wanted: ReferenceOwner | undefined): Promise<ConversionOutcome | undefined> {
    if (isDuplicateKey(error, PROFILE_INDEX.email)) return 'DUPLICATE_EMAIL';
    if (!wanted || !isDuplicateKey(error, PROFILE_INDEX.customerRef)) throw error;
    const isFree = await endHolderOf(this.#profiles, wanted, this.#now());
    return isFree ? undefined : 'DUPLICATE_CUSTOMER_REF';
  }
}
