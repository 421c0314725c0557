/** Answers other areas which customers exist, by one indexed read without a key. Caller: area.ts. */
import type { Connection } from 'mongoose';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { CustomerReader } from '../shared/customers.ts';
import { isLive, PROFILE_INDEX, type ProfileCollection, profileCollection } from './profile-document.ts';

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
    if (customerNumbers.length === 0) return new Set();
    const filter = { organisationId, _id: { $in: [...new Set(customerNumbers)] }, ...isLive(this.#now()) };
    const options = { projection: { _id: 1 }, hint: PROFILE_INDEX.number } as const;
    const found = await this.#collection.find(filter, options).toArray();
    return new Set(found.map(({ _id }) => _id));
  }
}
