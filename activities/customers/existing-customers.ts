/**
 * Answers other areas which customers exist and how to reach them, each by one indexed read; names and addresses need keys
 * besides. Caller: area.ts.
 */
import type { Connection } from 'mongoose';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';
import type { CustomerReader, ReachableCustomer } from '../shared/customers.ts';
import { keyOf } from './customer-subject.ts';
import { CONTENT_PROJECTION, openContent } from './profile-content.ts';
import {
  isLive,
  type LiveProfile,
  PROFILE_INDEX,
  type ProfileCollection,
  type ProfileFilter,
  profileCollection,
} from './profile-document.ts';

export class ExistingCustomers implements CustomerReader {
  readonly #collection: ProfileCollection;
  readonly #now: () => Date;
  readonly #openKeys: () => Promise<SubjectKeys>;

  /** `openKeys` is called with the first question for names. */
  constructor(
    connection: Connection,
    now: () => Date = () => new Date(),
    openKeys: () => Promise<SubjectKeys> = keysMissing,
  ) {
    this.#collection = profileCollection(connection);
    this.#now = now;
    this.#openKeys = openKeys;
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

  async listReachable(
    organisationId: OrganisationId,
    customerNumbers: readonly CustomerNumber[],
  ): Promise<ReadonlyMap<CustomerNumber, ReachableCustomer>> {
    if (customerNumbers.length === 0) return new Map();
    const filter = { organisationId, _id: { $in: [...new Set(customerNumbers)] }, ...isLive(this.#now()) };
    const options = { projection: CONTENT_PROJECTION, hint: PROFILE_INDEX.number, promoteBuffers: true } as const;
    const found = (await this.#collection.find(filter, options).toArray()) as unknown as readonly LiveProfile[];
    const keys = await (await this.#openKeys()).findMany(found.map(keyOf));
    return new Map(
      found.flatMap((document, at) => {
        const sealing = keys[at];
        // Its key was destroyed since: it is being erased.
        if (!sealing) return [];
        const { firstName, surname, email, languagePreference: language } = openContent(document, sealing);
        const names = { ...(firstName !== undefined && { firstName }), ...(surname !== undefined && { surname }) };
        return [[document._id, { ...names, ...(email !== undefined && { email }), language }] as const];
      }),
    );
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

async function keysMissing(): Promise<SubjectKeys> {
  throw new Error('This process opens no keys of customers, so it knows no names');
}
