/**
 * A profile as it is stored: one aggregate with all it holds (platform/aggregate). Callers: the stores of this folder; nothing else
 * knows the collection. Personal data stands only in `sealed` members.
 */
import type { Connection, mongo } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { Consent, ItemKind, LanguagePreference, ProfileType, Tenancy } from './customer-types.ts';

/** ACTIVE → ERASING (permanent) or EXPIRED (temporary) → ERASED; nothing leads back. */
export type ProfileStatus = 'ACTIVE' | 'ERASING' | 'EXPIRED' | 'ERASED';

/** A member of an array: its personal data is sealed, bound to the item's place. */
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
interface Tombstone extends AggregateDocument {
  readonly _id: CustomerNumber;
  readonly organisationId: OrganisationId;
  readonly status: ProfileStatus;
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
  readonly creationId: string;
  readonly pendingConversions?: readonly PendingConversion[];
  readonly convertedBy?: string;
}

export interface ProfileDocument extends Tombstone, Partial<Omit<LiveProfile, keyof Tombstone>> {
  /** While it is being erased. */
  readonly erasure?: { readonly begunAt: Date; readonly correlationId: string; readonly workId?: string };
  readonly erasedAt?: Date;
}

export type ProfileCollection = mongo.Collection<ProfileDocument>;
export type ProfileFilter = mongo.Filter<ProfileDocument>;

export const PROFILE_INDEX = {
  number: 'organisation_and_number',
  email: 'live_email',
  customerRef: 'customer_ref',
  cardSerials: 'card_serials',
  search: 'search',
} as const;

const EXISTS = { $exists: true };

/** The unique indexes decide between profiles; every process that writes makes them before it takes work. */
export const PROFILES = new CollectionDefinition<ProfileDocument>('customer_profiles', [
  ...AGGREGATE_INDEXES,
  // Read by this one, another organisation's profile costs what an absent one costs.
  { name: PROFILE_INDEX.number, key: { organisationId: 1, _id: 1 } },
  {
    name: PROFILE_INDEX.email,
    key: { organisationId: 1, emailKey: 1 },
    unique: true,
    partialFilterExpression: { profileType: 'PERMANENT', status: 'ACTIVE', emailKey: EXISTS },
  },
  {
    name: PROFILE_INDEX.customerRef,
    key: { organisationId: 1, customerRef: 1 },
    unique: true,
    partialFilterExpression: { customerRef: EXISTS },
  },
  {
    name: PROFILE_INDEX.cardSerials,
    key: { organisationId: 1, 'eCards.serialKey': 1 },
    unique: true,
    partialFilterExpression: { 'eCards.serialKey': EXISTS },
  },
  // Ends with the number, so that what one key finds comes in a stable order without sorting.
  {
    name: PROFILE_INDEX.search,
    key: { organisationId: 1, searchKeys: 1, _id: 1 },
    partialFilterExpression: { status: 'ACTIVE' },
  },
  {
    name: 'due',
    key: { expirationDate: 1 },
    partialFilterExpression: { profileType: 'TEMPORARY', status: 'ACTIVE' },
  },
  { name: 'erasures', key: { 'erasure.begunAt': 1 }, partialFilterExpression: { 'erasure.begunAt': EXISTS } },
]);

export function profileCollection(connection: Connection): ProfileCollection {
  return PROFILES.open(connection);
}

/** Neither expired, whether a process has written so or not, nor being erased. A permanent profile has no date. */
export function isLive(now: Date, type?: ProfileType) {
  return {
    status: 'ACTIVE',
    expirationDate: { $not: { $lte: now } },
    ...(type === undefined ? {} : { profileType: type }),
  } as const;
}

/** The filter, and the index to read it by. */
export function byNumber(tenancy: Tenancy, customerNumber: CustomerNumber) {
  return tenancy === 'ANY'
    ? { filter: { _id: customerNumber }, hint: '_id_' }
    : { filter: { _id: customerNumber, organisationId: tenancy }, hint: PROFILE_INDEX.number };
}
