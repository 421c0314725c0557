/**
 * A profile as it is stored: one document with all it holds, so that one conditional write changes it, raises its sequence and
 * tells of it. Callers: the stores of this folder; nothing else knows the collection.
 *
 * Every write is conditional on `revision`, or on what it decides by. Personal data stands only in `sealed` members.
 */
import type { Connection, mongo } from 'mongoose';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { Consent, ItemKind, LanguagePreference, ProfileType, Tenancy } from './customer-types.ts';

/** ACTIVE → ERASING (permanent) or EXPIRED (temporary) → ERASED; nothing leads back. */
export type ProfileStatus = 'ACTIVE' | 'ERASING' | 'EXPIRED' | 'ERASED';

/** A member of an array: what tells of the person is sealed, bound to the item's place. */
export interface StoredItem {
  readonly id: string;
  readonly sealed: Buffer;
  /** Of an e-card: keyed hash, unique within the organisation. */
  readonly serialKey?: string;
  readonly startOfOwnership?: Date;
  /** Of an address: as it stands in `searchKeys`. */
  readonly postCodeTerm?: string;
}

/** What a conversion will write; so that no personal data goes through Temporal. */
export interface PendingConversion {
  readonly conversionId: string;
  readonly sealed: Buffer;
  readonly correlationId: string;
  readonly preparedAt: Date;
  readonly by: string;
  readonly channel: string;
}

/** All that is left in the end, beside `erasedAt`. */
interface Tombstone {
  readonly _id: CustomerNumber;
  readonly organisationId: OrganisationId;
  readonly status: ProfileStatus;
  /** Raised by every write. */
  readonly revision: number;
  /** Of the last event; gapless from 1. */
  readonly sequence: number;
  /** Emptied by the relay, of tombstones too. */
  readonly outbox: readonly OutboxEvent[];
}

/** What a profile has while it lives. */
export interface LiveProfile extends Tombstone, Partial<Record<ItemKind, readonly StoredItem[]>> {
  readonly profileType: ProfileType;
  readonly customerRef: string;
  readonly languagePreference: LanguagePreference;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly createdByChannel: string;
  readonly changedAt: Date;
  readonly changedBy: string;
  readonly changedByChannel: string;
  /** Of a temporary profile: from this instant on it is not there, whatever its status. */
  readonly expirationDate?: Date;
  /** Names its data key. */
  readonly keyId: string;
  readonly sealed: Buffer;
  /** Keyed hash; unique among the organisation's permanent profiles. */
  readonly emailKey?: string;
  /** Keyed hashes, `field:…`. */
  readonly searchKeys: readonly string[];
  readonly consents?: readonly Consent[];
  /** Earlier rows, oldest first. */
  readonly consentHistory?: readonly Consent[];
  /** The request that made it: repeated, it finds it. */
  readonly creationId: string;
  /** The last requests that changed it: repeated, they change nothing. */
  readonly appliedWorkIds: readonly string[];
  readonly pendingConversions?: readonly PendingConversion[];
  readonly convertedBy?: string;
}

export interface ProfileDocument extends Tombstone, Partial<Omit<LiveProfile, keyof Tombstone>> {
  /** A workflow is to be started or told; since when. */
  readonly pendingStart?: true;
  readonly pendingSince?: Date;
  /** While it is being erased. */
  readonly erasure?: { readonly begunAt: Date; readonly correlationId: string; readonly workId?: string };
  readonly erasedAt?: Date;
}

export type ProfileCollection = ReturnType<typeof profileCollection>;
export type ProfileFilter = mongo.Filter<ProfileDocument>;

export const PROFILE_COLLECTION = 'customer_profiles';

export const PROFILE_INDEX = {
  number: 'organisation_and_number',
  email: 'live_email',
  customerRef: 'customer_ref',
  cardSerials: 'card_serials',
  creations: 'creations',
  search: 'search',
} as const;

export function profileCollection(connection: Connection) {
  return connection.collection<ProfileDocument>(PROFILE_COLLECTION);
}

/** The guards of this area are these indexes; every process that writes makes them before it takes work. */
export async function ensureProfileIndexes(collection: ProfileCollection): Promise<void> {
  const unique = (name: string, key: Record<string, 1>, only: Record<string, unknown>) =>
    ({ name, key, unique: true, partialFilterExpression: only }) as const;
  const some = (name: string, key: Record<string, 1>, only: Record<string, unknown>) =>
    ({ name, key, partialFilterExpression: only }) as const;
  const exists = { $exists: true };
  await collection.createIndexes([
    // Read by this one, another organisation's profile costs what an absent one costs.
    { name: PROFILE_INDEX.number, key: { organisationId: 1, _id: 1 } },
    unique(
      PROFILE_INDEX.email,
      { organisationId: 1, emailKey: 1 },
      { profileType: 'PERMANENT', status: 'ACTIVE', emailKey: exists },
    ),
    unique(PROFILE_INDEX.customerRef, { organisationId: 1, customerRef: 1 }, { customerRef: exists }),
    unique(PROFILE_INDEX.cardSerials, { organisationId: 1, 'eCards.serialKey': 1 }, { 'eCards.serialKey': exists }),
    unique(PROFILE_INDEX.creations, { creationId: 1 }, { creationId: exists }),
    // Ends with the number, so that what one key finds comes in a stable order without sorting.
    some(PROFILE_INDEX.search, { organisationId: 1, searchKeys: 1, _id: 1 }, { status: 'ACTIVE' }),
    some('due', { expirationDate: 1 }, { profileType: 'TEMPORARY', status: 'ACTIVE' }),
    some('pending_starts', { pendingSince: 1 }, { pendingStart: true }),
    some('erasures', { 'erasure.begunAt': 1 }, { 'erasure.begunAt': exists }),
  ]);
}

/** Neither expired, be it noted or not, nor being erased: a permanent profile has no date. */
export function isLive(now: Date, type?: ProfileType) {
  return {
    status: 'ACTIVE',
    expirationDate: { $not: { $lte: now } },
    ...(type === undefined ? {} : { profileType: type }),
  } as const;
}

/** With the index to read it by. */
export function byNumber(tenancy: Tenancy, customerNumber: CustomerNumber) {
  return tenancy === 'ANY'
    ? { filter: { _id: customerNumber }, hint: '_id_' }
    : { filter: { _id: customerNumber, organisationId: tenancy }, hint: PROFILE_INDEX.number };
}
