/** The stores of customers on real databases, in two processes, with a clock that tests set. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { ConsentStore } from '../../../activities/customers/consent-store.ts';
import type { CustomerStoreOptions } from '../../../activities/customers/customer-config.ts';
import type { NewProfile, Write } from '../../../activities/customers/customer-types.ts';
import { type ProfileCollection, profileCollection } from '../../../activities/customers/profile-document.ts';
import { ProfileItemStore } from '../../../activities/customers/profile-item-store.ts';
import { ProfileLifecycleStore } from '../../../activities/customers/profile-lifecycle-store.ts';
import { ProfileStore } from '../../../activities/customers/profile-store.ts';
import { SearchKeys } from '../../../activities/customers/search-keys.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { useMongo } from '../../support/stack.ts';

export const OURS = 1 as OrganisationId;
export const THEIRS = 2 as OrganisationId;
export const DAY_MS = 86_400_000;

export interface Customers {
  readonly options: CustomerStoreOptions;
  readonly connection: Connection;
  readonly keysConnection: Connection;
  readonly collection: ProfileCollection;
  readonly keys: SubjectKeys;
  readonly profiles: ProfileStore;
  readonly lifecycle: ProfileLifecycleStore;
  readonly addresses: ProfileItemStore<'postalAddresses'>;
  readonly preferences: ProfileItemStore<'preferences'>;
  readonly cards: ProfileItemStore<'eCards'>;
  readonly programs: ProfileItemStore<'loyaltyPrograms'>;
  readonly consents: ConsentStore;
}

export class CustomerFixture {
  /** Two processes on the same databases. */
  here!: Customers;
  there!: Customers;
  now = new Date('2026-05-04T12:00:00Z');
  readonly #name: string;
  readonly #masterKeys = parseKeyRing(`m1:${randomBytes(32).toString('base64')}`, 'CUSTOMER_MASTER_KEYS');
  readonly #searchKey = randomBytes(32);

  /** The server is shared, so each test file uses its own `name`. */
  constructor(name: string) {
    this.#name = name;
  }

  async open(): Promise<void> {
    [this.here, this.there] = await Promise.all([this.#connect(), this.#connect()]);
    await this.here.profiles.ensureIndexes();
  }

  async clear(): Promise<void> {
    this.now = new Date('2026-05-04T12:00:00Z');
    await this.here.collection.deleteMany({});
    await this.here.keysConnection.collection('subject_keys').deleteMany({});
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.here, this.there].flatMap((each) => [each.connection.close(), each.keysConnection.close()]),
    );
  }

  passes(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
  }

  inDays(days: number): Date {
    return new Date(this.now.getTime() + days * DAY_MS);
  }

  async #connect(): Promise<Customers> {
    const { uri } = await useMongo();
    const connection = await connectMongo(uri(this.#name));
    const keysConnection = await connectMongo(uri(`${this.#name}-keys`));
    const now = () => this.now;
    const keys = new SubjectKeys({ connection: keysConnection, masterKeys: this.#masterKeys, now });
    const searchKeys = new SearchKeys(this.#searchKey);
    const options: CustomerStoreOptions = { connection, keys, searchKeys, environment: 'dev', now };
    return {
      options,
      connection,
      keysConnection,
      keys,
      collection: profileCollection(connection),
      profiles: new ProfileStore(options),
      lifecycle: new ProfileLifecycleStore(options),
      addresses: new ProfileItemStore('postalAddresses', options),
      preferences: new ProfileItemStore('preferences', options),
      cards: new ProfileItemStore('eCards', options),
      programs: new ProfileItemStore('loyaltyPrograms', options),
      consents: new ConsentStore(options),
    };
  }
}

/** The origin of a new request, or of the request with this `workId`. */
export function request(workId: string = randomUUID(), more: Partial<Write> = {}): Write {
  return { workId, correlationId: `correlation-of-${workId}`, organisationId: OURS, ...more };
}

export function anna(more: Partial<NewProfile> = {}): NewProfile {
  return {
    organisationId: OURS,
    profileType: 'PERMANENT',
    firstName: 'Anna',
    surname: 'Ødegård',
    email: 'anna@example.no',
    countryCode: '+47',
    telephoneNumberNoCountryCode: '91234567',
    dateOfBirth: '1990-02-03',
    languagePreference: 'nob',
    createdBy: 'desk 4',
    createdByChannel: 'support',
    ...more,
  };
}

/** A temporary profile with required members only. */
export function guest(expirationDate: Date, more: Partial<NewProfile> = {}): NewProfile {
  return {
    organisationId: OURS,
    profileType: 'TEMPORARY',
    languagePreference: 'nob',
    expirationDate,
    createdBy: 'desk 4',
    createdByChannel: 'support',
    ...more,
  };
}

export const HOME = {
  type: 'HOME',
  addressLines: ['Storgata 1'],
  postCode: '0155',
  postTown: 'Oslo',
  countryCode: 'NO',
} as const;

/** The value of a call, or the code of its refusal. */
export async function outcomeOf<T>(call: Promise<T>): Promise<T | string> {
  try {
    return await call;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (typeof code !== 'string') throw error;
    return code;
  }
}
