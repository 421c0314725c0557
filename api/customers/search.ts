/** Search of profiles by personal data. All given criteria must match, exactly except for case. */
import type { ProfileCriteria, Tenancy } from '../../activities/customers/customer-types.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, Operation } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { presentProfile } from './presenters.ts';
import { mayReach, tenancyOf } from './requests.ts';

type SearchProfiles = Operations['searchProfiles'];

const MAX_RESULT_SET_DEFAULT = 50;
/** Criteria that narrow a search but are not enough for one. */
const NARROWING = new Set(['organisationId', 'includeTemporary', 'maxResultSet']);

export function createProfileSearch({ profiles }: Pick<CustomersDependencies, 'profiles'>): Operation<SearchProfiles> {
  return async ({ search, query, caller }) => {
    const { organisationId, maxResultSet = MAX_RESULT_SET_DEFAULT } = query;
    const criteria = criteriaOf(query);
    const tenancy = searchedTenancy(caller, organisationId);
    const paging = { page: search.page, perPage: search.perPage, maxResultSet };
    const { items, totalItems } =
      tenancy === undefined ? { items: [], totalItems: 0 } : await profiles.search(tenancy, criteria, paging);
    return { status: 200, json: toSearchPage(search, items.map(presentProfile), totalItems) };
  };
}

/** Undefined for an organisation that the caller may not reach: then nothing matches. */
function searchedTenancy(caller: Caller, given: OrganisationId | undefined): Tenancy | undefined {
  if (given === undefined) return tenancyOf(caller);
  return mayReach(caller, given) ? given : undefined;
}

function criteriaOf(query: SearchProfiles['query']): ProfileCriteria {
  if (Object.keys(query).every((name) => NARROWING.has(name))) {
    throw invalidSearch('/query', 'Name at least one thing that is known of the person.');
  }
  const { organisationId: _, maxResultSet: __, includeTemporary = false, ...known } = query;
  const { countryCode, telephoneNumberNoCountryCode: number, ...texts } = known;
  if ((countryCode === undefined) !== (number === undefined)) {
    const missing = countryCode === undefined ? 'countryCode' : 'telephoneNumberNoCountryCode';
    throw invalidSearch(`/query/${missing}`, 'countryCode and telephoneNumberNoCountryCode are searched together.');
  }
  const phone = countryCode !== undefined && number !== undefined && { phone: { countryCode, number } };
  return { ...texts, ...phone, includeTemporary };
}

function invalidSearch(pointer: string, detail: string): ServiceError {
  return new ServiceError('INVALID_SEARCH', detail, { errors: [{ pointer, code: 'INVALID_SEARCH', detail }] });
}
