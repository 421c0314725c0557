/**
 * Search over keyed hashes: exact except for case, and all criteria must match. One index serves every combination.
 * Caller: the profile store.
 */
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { keyOf } from './customer-subject.ts';
import type { Found, Paging, Profile, ProfileCriteria, Tenancy } from './customer-types.ts';
import { CONTENT_PROJECTION, toProfile } from './profile-content.ts';
import {
  isLive,
  type LiveProfile,
  PROFILE_INDEX,
  type ProfileCollection,
  type ProfileFilter,
  profileCollection,
} from './profile-document.ts';
import { type SearchTerm, searchTerms } from './search-keys.ts';

export interface SearchPaging extends Paging {
  /** Limit of the results; further matches are not reported. */
  readonly maxResultSet: number;
}

export class ProfileSearch {
  readonly #options: CustomerStoreOptions;
  readonly #profiles: ProfileCollection;
  readonly #now: () => Date;

  constructor(options: CustomerStoreOptions) {
    this.#options = options;
    this.#profiles = profileCollection(options.connection);
    this.#now = options.now ?? (() => new Date());
  }

  /** Ordered by number, so that pages fit together. Without a criterion nothing is found. */
  async search(tenancy: Tenancy, criteria: ProfileCriteria, paging: SearchPaging): Promise<Found<Profile>> {
    const filter = await this.#filter(tenancy, criteria);
    if (!filter) return { items: [], totalItems: 0 };
    const { page, perPage, maxResultSet } = paging;
    const skip = (page - 1) * perPage;
    const limit = Math.min(perPage, maxResultSet - skip);
    const documents = limit > 0 ? await this.#read(filter, skip, limit) : [];
    const isLast = documents.length > 0 && documents.length < limit;
    const totalItems =
      isLast || (documents.length === 0 && skip === 0)
        ? skip + documents.length
        : await this.#count(filter, maxResultSet);
    const sealings = await this.#options.keys.findMany(documents.map(keyOf));
    const items = documents.flatMap((document, index) => {
      // A profile without its key is being erased at this moment.
      const sealing = sealings[index];
      return sealing ? [toProfile(document, sealing)] : [];
    });
    return { items, totalItems };
  }

  async #read(filter: ProfileFilter, skip: number, limit: number): Promise<LiveProfile[]> {
    const options = { projection: CONTENT_PROJECTION, hint: PROFILE_INDEX.search, promoteBuffers: true };
    const found = await this.#profiles.find(filter, options).sort({ _id: 1 }).skip(skip).limit(limit).toArray();
    return found as LiveProfile[];
  }

  async #count(filter: ProfileFilter, limit: number): Promise<number> {
    return await this.#profiles.countDocuments(filter, { hint: PROFILE_INDEX.search, limit });
  }

  async #filter(tenancy: Tenancy, criteria: ProfileCriteria): Promise<ProfileFilter | undefined> {
    const terms = searchTerms(criteria);
    const organisations = tenancy === 'ANY' ? await this.#organisations() : [tenancy];
    if (terms.length === 0 || organisations.length === 0) return undefined;
    const hashesOf = (term: SearchTerm): string[] =>
      organisations.map((organisationId) => this.#options.searchKeys.term(organisationId, ...term));
    // The first criterion bounds the reads of the index, so it is the one with the fewest results.
    const keys = terms.map((term) => ({ searchKeys: oneOf(hashesOf(term)) }));
    return {
      organisationId: oneOf(organisations),
      $and: keys,
      ...isLive(this.#now(), criteria.includeTemporary ? undefined : 'PERMANENT'),
    } as ProfileFilter;
  }

  /** Hashes differ between organisations: a search over all uses the hash of each. */
  async #organisations(): Promise<OrganisationId[]> {
    return await this.#profiles.distinct('organisationId');
  }
}

function oneOf<T>(values: readonly T[]): T | { readonly $in: readonly T[] } {
  const [first, ...more] = values;
  return first !== undefined && more.length === 0 ? first : { $in: values };
}
