/** Answers other areas which customers exist and how to reach them, each by one indexed read without a key. Caller: area.ts. */
import type { Connection } from 'mongoose';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';
import type { CustomerReader } from '../shared/customers.ts';
import {
  isLive,
  PROFILE_INDEX,
  type ProfileCollection,
  type ProfileFilter,
  profileCollection,
} from './profile-document.ts';

export class ExistingCustomers implements CustomerReader {
  readonly #collection: ProfileCollection;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#collection = profileCollection(connection);
    this.#now = now;
  }

  async listExisting(
    organisationId: OrganisationId,
    customerNumbers: readonly CustomerNumber[],
  ): Promise<ReadonlySet<CustomerNumber>> {
    return await this.#list(organisationId, customerNumbers, {});
  }

  /** A profile with an e-mail address can be found by it. */
  async listWithEmail(
    organisationId: OrganisationId,
    customerNumbers: readonly CustomerNumber[],
  ): Promise<ReadonlySet<CustomerNumber>> {
    return await this.#list(organisationId, customerNumbers, { searchKeys: /^email:/ });
  }

  async findLanguage(
    organisationId: OrganisationId,
    customerNumber: CustomerNumber,
  ): Promise<TextLanguage | undefined> {
    const filter = { organisationId, _id: customerNumber, ...isLive(this.#now()) };
    const options = { projection: { languagePreference: 1 }, hint: PROFILE_INDEX.number } as const;
    return (await this.#collection.findOne(filter, options))?.languagePreference;
  }

  async #list(
    organisationId: OrganisationId,
    customerNumbers: readonly CustomerNumber[],
    more: ProfileFilter,
  ): Promise<ReadonlySet<CustomerNumber>> {
    if (customerNumbers.length === 0) return new Set();
    const filter = { organisationId, _id: { $in: [...new Set(customerNumbers)] }, ...isLive(this.#now()), ...more };
    const options = { projection: { _id: 1 }, hint: PROFILE_INDEX.number } as const;
    const found = await this.#collection.find(filter, options).toArray();
    return new Set(found.map(({ _id }) => _id));
  }
}
