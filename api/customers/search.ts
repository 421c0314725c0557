/** Search of profiles by what is known of a person. Whatever is given must match, exactly but for case. */
import type { ProfileCriteria, Tenancy } from '../../activities/customers/customer-types.ts';
import { type SearchRequest, toSearchPage } from '../../platform/mongo/search-filter.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, Operation } from '../shared/operation.ts';
import { requireCaller } from '../shared/require-caller.ts';
import { requireSearch } from '../shared/require-search.ts';
import type { CustomersDependencies } from './dependencies.ts';
import { presentProfile } from './presenters.ts';
import { mayReach, tenancyOf } from './requests.ts';

const MAX_RESULT_SET_DEFAULT = 50;
/** Narrow a search, but are not enough for one. */
const NARROWING = new Set(['organisationId', 'includeTemporary', 'maxResultSet']);

type Terms = Readonly<Record<string, string | number | boolean>>;

export function createProfileSearch({ profiles }: Pick<CustomersDependencies, 'profiles'>): Operation {
  return async (context) => {
    const search = requireSearch(context);
    const terms = termsOf(search);
    const criteria = criteriaOf(terms);
    const tenancy = searchedTenancy(requireCaller(context), terms.organisationId as OrganisationId | undefined);
    const paging = {
      page: search.page,
      perPage: search.perPage,
      maxResultSet: Number(terms.maxResultSet ?? MAX_RESULT_SET_DEFAULT),
    };
    const { items, totalItems } =
      tenancy === undefined ? { items: [], totalItems: 0 } : await profiles.search(tenancy, criteria, paging);
    return { status: 200, json: toSearchPage(search, items.map(presentProfile), totalItems) };
  };
}

/** Undefined for an organisation that the caller does not reach: nothing there matches. */
function searchedTenancy(caller: Caller, given: OrganisationId | undefined): Tenancy | undefined {
  if (given === undefined) return tenancyOf(caller);
  return mayReach(caller, given) ? given : undefined;
}

function termsOf({ terms }: SearchRequest): Terms {
  if (terms.every(({ field }) => NARROWING.has(field))) {
    throw invalidSearch('/query', 'Name at least one thing that is known of the person.');
  }
  return Object.fromEntries(terms.map(({ field, values }) => [field, values[0] ?? '']));
}

function criteriaOf(terms: Terms): ProfileCriteria {
  const { countryCode, telephoneNumberNoCountryCode: number, includeTemporary } = terms;
  if ((countryCode === undefined) !== (number === undefined)) {
    const missing = countryCode === undefined ? 'countryCode' : 'telephoneNumberNoCountryCode';
    throw invalidSearch(`/query/${missing}`, 'countryCode and telephoneNumberNoCountryCode are searched together.');
  }
  const texts = ['firstName', 'surname', 'email', 'customerRef', 'dateOfBirth', 'postCode'].filter(
    (name) => terms[name] !== undefined,
  );
  return {
    ...Object.fromEntries(texts.map((name) => [name, String(terms[name])])),
    ...(number !== undefined && { phone: { countryCode: String(countryCode), number: String(number) } }),
    includeTemporary: includeTemporary === true,
  };
}

function invalidSearch(pointer: string, detail: string): ServiceError {
  return new ServiceError('INVALID_SEARCH', detail, { errors: [{ pointer, code: 'INVALID_SEARCH', detail }] });
}
