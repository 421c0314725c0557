/**
 * Making a profile: its key, then the profile itself. Whoever dies between the two leaves a key that seals nothing, which the
 * sweep removes. The unique indexes decide between requests that meet; a request that is repeated finds what it made.
 *
 * Caller: the profile store.
 */
import { randomInt } from 'node:crypto';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { customerEvent } from './customer-events.ts';
import type { NewDataKey } from './customer-keys.ts';
import type { NewProfile, Profile, Write } from './customer-types.ts';
import { setOrUnset } from './profile-changes.ts';
import { storeContent, toProfile } from './profile-content.ts';
import {
  isLive,
  type LiveProfile,
  PROFILE_INDEX,
  type ProfileCollection,
  type ProfileDocument,
  profileCollection,
} from './profile-document.ts';
import { endHolderOf } from './profile-ending.ts';
import { duplicateCustomerRef, duplicateEmail, notFound } from './profile-refusals.ts';

export interface ProfileCreationOptions extends CustomerStoreOptions {
  /** Ten digits; other than random in tests only. */
  readonly newNumber?: () => CustomerNumber;
}

/** Of numbers or references taken by others; with ten random digits even the second is rare. */
const MAX_TRIES = 20;
/** Keys without a profile are swept after an hour: whoever wakes up after so long begins anew. */
const PROFILE_FOLLOWS_WITHIN_MS = 10 * 60_000;

export class ProfileCreation {
  readonly #options: ProfileCreationOptions;
  readonly #profiles: ProfileCollection;
  readonly #now: () => Date;
  readonly #newNumber: () => CustomerNumber;

  constructor(options: ProfileCreationOptions) {
    this.#options = options;
    this.#profiles = profileCollection(options.connection);
    this.#now = options.now ?? (() => new Date());
    this.#newNumber = options.newNumber ?? randomNumber;
  }

  async create(input: NewProfile, write: Write): Promise<Profile> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const customerNumber = this.#newNumber();
      const begunAt = this.#now();
      const key = await this.#options.keys.create(customerNumber);
      if (!key) continue;
      if (this.#now().getTime() - begunAt.getTime() > PROFILE_FOLLOWS_WITHIN_MS) continue;
      const made = await this.#insert(this.#document(customerNumber, input, write, key), key);
      if (made) return made;
    }
    throw new ServiceError('UNAVAILABLE', 'No customer number was found; try again', {
      headers: { 'retry-after': '1' },
    });
  }

  /** Undefined when another number may do. */
  async #insert(document: ProfileDocument & LiveProfile, key: NewDataKey): Promise<Profile | undefined> {
    try {
      await this.#profiles.insertOne(document);
      return toProfile(document, key.sealing);
    } catch (error) {
      // Anything else leaves open whether it was written.
      if (!isDuplicateKey(error)) throw error;
      const earlier = await this.#findMade(document.creationId);
      if (earlier?.keyId !== document.keyId) await this.#options.keys.discard(key.keyId);
      if (earlier) return await this.#answerEarlier(earlier);
      await this.#judgeDuplicate(error, document);
      return undefined;
    }
  }

  /** Throws when it is not cured by trying again. */
  async #judgeDuplicate(error: unknown, { organisationId, customerRef, _id }: LiveProfile): Promise<void> {
    if (isDuplicateKey(error, PROFILE_INDEX.email)) throw duplicateEmail();
    if (!isDuplicateKey(error, PROFILE_INDEX.customerRef)) return;
    const wasGiven = customerRef !== _id;
    if (wasGiven && !(await endHolderOf(this.#profiles, organisationId, customerRef, this.#now()))) {
      throw duplicateCustomerRef();
    }
  }

  async #findMade(creationId: string): Promise<ProfileDocument | null> {
    return await this.#profiles.findOne({ creationId }, { promoteBuffers: true });
  }

  async #answerEarlier(earlier: ProfileDocument): Promise<Profile> {
    const found = await this.#profiles.findOne({ _id: earlier._id, ...isLive(this.#now()) }, { promoteBuffers: true });
    const sealing = found?.keyId === undefined ? undefined : await this.#options.keys.find(found.keyId);
    if (!sealing) throw notFound();
    return toProfile(found as LiveProfile, sealing);
  }

  #document(
    customerNumber: CustomerNumber,
    input: NewProfile,
    write: Write,
    { keyId, sealing }: NewDataKey,
  ): ProfileDocument & LiveProfile {
    const now = this.#now();
    const { organisationId, profileType, createdBy, createdByChannel, expirationDate } = input;
    const content = { ...input, customerRef: input.customerRef ?? customerNumber };
    const place = { profileType, organisationId, sealing, searchKeys: this.#options.searchKeys, presentKeys: [] };
    const news = {
      type: 'CustomerCreated',
      profileType,
      ...(profileType === 'TEMPORARY' && expirationDate && { expirationDate }),
    } as const;
    const { correlationId } = write;
    const { environment } = this.#options;
    const event = { customerNumber, organisationId, sequence: 1, correlationId, environment, at: now };
    const stored = setOrUnset(storeContent(content, place)).$set as ReturnType<typeof storeContent>;
    return {
      _id: customerNumber,
      organisationId,
      profileType,
      status: 'ACTIVE',
      revision: 1,
      sequence: 1,
      ...(stored as Pick<LiveProfile, keyof typeof stored>),
      createdAt: now,
      createdBy,
      createdByChannel,
      changedAt: now,
      changedBy: createdBy,
      changedByChannel: createdByChannel,
      keyId,
      creationId: write.workId,
      appliedWorkIds: [],
      ...(profileType === 'TEMPORARY' && { pendingStart: true, pendingSince: now }),
      outbox: [customerEvent(news, event)],
    };
  }
}

function randomNumber(): CustomerNumber {
  return String(randomInt(1_000_000_000, 10_000_000_000)) as CustomerNumber;
}
