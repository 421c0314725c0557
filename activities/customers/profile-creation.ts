/**
 * Creates a profile: its key first, then the profile itself. A crash between the two leaves a key that seals nothing,
 * which a sweep removes. The unique indexes decide between concurrent requests; a repeated request finds the profile
 * that it created.
 *
 * Caller: the profile store.
 */
import { randomInt } from 'node:crypto';
import type { NewContent } from '../../platform/aggregate/aggregate-types.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { NewDataKey } from '../../platform/personal/subject-keys.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import type { CustomerEvent } from './customer-events.ts';
import { ownerOf } from './customer-subject.ts';
import type { NewProfile, Profile, Write } from './customer-types.ts';
import { type ProfileAggregates, ProfileChanges, profileAggregates } from './profile-changes.ts';
import { sealOrigin, storeContent, toProfile } from './profile-content.ts';
import { type LiveProfile, PROFILE_INDEX, type ProfileDocument } from './profile-document.ts';
import { endHolderOf, type ReferenceOwner } from './profile-ending.ts';
import { duplicateCustomerRef, duplicateEmail } from './profile-refusals.ts';

export interface ProfileCreationOptions extends CustomerStoreOptions {
  /** Ten digits; tests may set it, the default is random. */
  readonly newNumber?: () => CustomerNumber;
}

/** With ten random digits even a second try is rare; references that others hold need more. */
const MAX_TRIES = 20;
/** Keys without a profile are removed after an hour. A process that pauses for this long starts over with a new key. */
const PROFILE_FOLLOWS_WITHIN_MS = 10 * 60_000;

export class ProfileCreation {
  readonly #options: ProfileCreationOptions;
  readonly #profiles: ProfileAggregates;
  readonly #changes: ProfileChanges;
  readonly #now: () => Date;
  readonly #newNumber: () => CustomerNumber;

  constructor(options: ProfileCreationOptions) {
    this.#options = options;
    this.#profiles = profileAggregates(options);
    this.#changes = new ProfileChanges(options);
    this.#now = options.now ?? (() => new Date());
    this.#newNumber = options.newNumber ?? randomNumber;
  }

  async create(input: NewProfile, write: Write): Promise<Profile> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const customerNumber = this.#newNumber();
      const begunAt = this.#now();
      const { organisationId } = input;
      const key = await this.#options.keys.create(ownerOf({ _id: customerNumber, organisationId }));
      if (!key) continue;
      if (this.#now().getTime() - begunAt.getTime() > PROFILE_FOLLOWS_WITHIN_MS) continue;
      const created = await this.#insert(customerNumber, input, write, key);
      if (created) return created;
    }
    throw new ServiceError('UNAVAILABLE', 'No customer number was found; try again', {
      headers: { 'retry-after': '1' },
    });
  }

  /** Undefined when another number may succeed. */
  async #insert(
    customerNumber: CustomerNumber,
    input: NewProfile,
    write: Write,
    key: NewDataKey,
  ): Promise<Profile | undefined> {
    const content = this.#content(customerNumber, input, key);
    const { workId, correlationId } = write;
    try {
      const { document, outcome } = await this.#profiles.create(
        content as NewContent<ProfileDocument>,
        { workId, correlationId },
        { events: [createdEvent(input)], pendingStart: input.profileType === 'TEMPORARY' },
      );
      if (outcome === 'WRITTEN') return toProfile(document as LiveProfile, key.sealing);
      if (document.keyId !== key.keyId) await this.#options.keys.discard(key.keyId);
      return await this.#readEarlier(input.organisationId, document._id);
    } catch (error) {
      // After any other error it is unknown whether the document was written.
      if (!isDuplicateKey(error)) throw error;
      await this.#options.keys.discard(key.keyId);
      const { organisationId } = input;
      await this.#resolve(
        error,
        { organisationId, customerRefKey: content.customerRefKey },
        input.customerRef !== undefined,
      );
      return undefined;
    }
  }

  /** Returns when another try may succeed. */
  async #resolve(error: unknown, wanted: ReferenceOwner, isGiven: boolean): Promise<void> {
    if (isDuplicateKey(error, PROFILE_INDEX.email)) throw duplicateEmail();
    if (!isGiven || !isDuplicateKey(error, PROFILE_INDEX.customerRef)) return;
    if (!(await endHolderOf(this.#profiles, wanted, this.#now()))) throw duplicateCustomerRef();
  }

  /**
   * Reads within the organisation that asks, since the record of a request, which names the document, may have been
   * changed.
   */
  async #readEarlier(tenancy: OrganisationId, customerNumber: CustomerNumber): Promise<Profile> {
    const { document, sealing } = await this.#changes.get({ tenancy, customerNumber });
    return toProfile(document, sealing);
  }

  #content(customerNumber: CustomerNumber, input: NewProfile, { keyId, sealing }: NewDataKey) {
    const now = this.#now();
    const { organisationId, profileType, createdBy, createdByChannel } = input;
    const place = { profileType, organisationId, sealing, searchKeys: this.#options.searchKeys, presentKeys: [] };
    const stored = storeContent({ ...input, customerRef: input.customerRef ?? customerNumber }, place);
    const origin = { createdBy, createdByChannel, changedBy: createdBy, changedByChannel: createdByChannel };
    const { expirationDate, emailKey, ...rest } = stored;
    return {
      ...rest,
      ...(expirationDate && { expirationDate }),
      ...(emailKey !== undefined && { emailKey }),
      _id: customerNumber,
      organisationId,
      profileType,
      status: 'ACTIVE',
      createdAt: now,
      changedAt: now,
      origin: sealOrigin(origin, sealing),
      keyId,
    } as const;
  }
}

function createdEvent({ profileType, expirationDate }: NewProfile): CustomerEvent {
  const isTemporary = profileType === 'TEMPORARY' && expirationDate;
  return { type: 'CustomerCreated', profileType, ...(isTemporary && { expirationDate }) };
}

function randomNumber(): CustomerNumber {
  return String(randomInt(1_000_000_000, 10_000_000_000)) as CustomerNumber;
}
