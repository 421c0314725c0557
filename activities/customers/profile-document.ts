/**
 * A profile as it is stored: one aggregate with all its items (platform/aggregate). Callers: the stores of this folder;
 * nothing else knows the collection. Only `sealed` members and `origin` hold personal data.
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
  /** Keyed hash of an e-card's serial, unique within the organisation. */
  readonly serialKey?: string;
  readonly startOfOwnership?: Date;
  /** Post code of an address, as in `searchKeys`. */
  readonly postCodeTerm?: string;
}

/** The changes of a conversion, stored here so that no personal data goes through Temporal. */
export interface PendingConversion {
  readonly conversionId: string;
  readonly sealed: Buffer;
  readonly correlationId: string;
  readonly preparedAt: Date;
}

/** The members that remain after the erasure, with `erasedAt`. */
interface Tombstone extends AggregateDocument {
  readonly _id: CustomerNumber;
  readonly organisationId: OrganisationId;
  readonly status: ProfileStatus;
}

/** The members of a live profile. */
export interface LiveProfile extends Tombstone, Partial<Record<ItemKind, readonly StoredItem[]>> {
  readonly profileType: ProfileType;
  readonly languagePreference: LanguagePreference;
  readonly createdAt: Date;
  readonly changedAt: Date;
  /** Present on a temporary profile, which is absent from this instant on, whatever its status. */
  readonly expirationDate?: Date;
  /** Id of its data key. */
  readonly keyId: string;
  readonly sealed: Buffer;
  /** Sealed: who created the profile and changed it last. */
  readonly origin: Buffer;
  /** Keyed hash of the reference, unique within the organisation. */
  readonly customerRefKey: string;
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
  /** Present while it is being erased. */
  readonly erasure?: { readonly begunAt: Date; readonly correlationId: string; readonly workId?: string };
  readonly erasedAt?: Date;
}

export type ProfileCollection = mongo.Collection<ProfileDocument>;
export type ProfileFilter = mongo.Filter<ProfileDocument>;

export const PROFILE_INDEX = {
  number: 'organisation_and_number',
  email: 'live_email',
  customerRef: 'customer_ref_key',
  cardSerials: 'card_serials',
  search: 'search',
} as const;

const EXISTS = { $exists: true };

/** The unique indexes decide between profiles; every process that writes makes them before it takes work. */
export const PROFILES = new CollectionDefinition<ProfileDocument>('customer_profiles', [
  ...AGGREGATE_INDEXES,
  // With this index a profile of another organisation costs what an absent one costs.
  { name: PROFILE_INDEX.number, key: { organisationId: 1, _id: 1 } },
  {
    name: PROFILE_INDEX.email,
    key: { organisationId: 1, emailKey: 1 },
    unique: true,
    partialFilterExpression: { profileType: 'PERMANENT', status: 'ACTIVE', emailKey: EXISTS },
  },
  {
    name: PROFILE_INDEX.customerRef,
    key: { organisationId: 1, customerRefKey: 1 },
    unique: true,
    partialFilterExpression: { customerRefKey: EXISTS },
  },
  {
    name: PROFILE_INDEX.cardSerials,
    key: { organisationId: 1, 'eCards.serialKey': 1 },
    unique: true,
    partialFilterExpression: { 'eCards.serialKey': EXISTS },
  },
  // Ends with the number, so that the results for one key have a stable order without sorting.
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

/**
 * Members with keyed hashes. Back-ups leave them out: with the search key a stolen back-up could be tested against
 * guessed values, also of customers erased since. renewSearchKeys computes them after a restore.
 */
export const SEARCH_KEY_MEMBERS = [
  'searchKeys',
  'emailKey',
  'customerRefKey',
  'eCards.serialKey',
  'postalAddresses.postCodeTerm',
] as const;

export function profileCollection(connection: Connection): ProfileCollection {
  return PROFILES.open(connection);
}

/**
 * The date has not passed, even if no process has marked the profile yet, and it is not being erased. A permanent
 * profile has no date.
 */
export function isLive(now: Date, type?: ProfileType) {
  return {
    status: 'ACTIVE',
    expirationDate: { $not: { $lte: now } },
    ...(type === undefined ? {} : { profileType: type }),
  } as const;
}

/** The filter, and the index for it. */
export function byNumber(tenancy: Tenancy, customerNumber: CustomerNumber) {
  return tenancy === 'ANY'
    ? { filter: { _id: customerNumber }, hint: '_id_' }
    : { filter: { _id: customerNumber, organisationId: tenancy }, hint: PROFILE_INDEX.number };
}
