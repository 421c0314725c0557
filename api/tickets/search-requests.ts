/** Search terms as they are stored: times as dates. */
import type { TicketSearchField } from '../../activities/tickets/ticket-filter.ts';
import type { TicketSearchRequest } from '../../activities/tickets/ticket-search.ts';
import type { SearchRequest, SearchTerm } from '../../platform/mongo/search-filter.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

const TIMES = new Set(['createdAt', 'updatedAt', 'startOfValidity', 'endOfValidity']);

/** At least one term: a search for all tickets is a mistake. `idField`: what `id` names. */
export function searchOf(
  { terms, page, perPage, sortBy, orderBy }: SearchRequest,
  idField: TicketSearchField,
): TicketSearchRequest {
  if (terms.length === 0) throw nothingGiven();
  return {
    page,
    perPage,
    sortBy,
    orderBy: orderBy === 'updatedAt' ? ('updatedAt' as const) : ('createdAt' as const),
    terms: terms.map(({ field, operator, values }) => ({
      field: field === 'id' ? idField : (field as TicketSearchField),
      operator,
      values: values.map((value) => storedValue(field, value)),
    })),
  };
}

function storedValue(field: string, value: SearchTerm['values'][number]): string | number | Date {
  if (TIMES.has(field)) return new Date(String(value));
  return typeof value === 'number' ? value : String(value);
}

function nothingGiven(): ServiceError {
  const detail = 'A search names at least one field, as orderId.';
  return new ServiceError('INVALID_SEARCH', detail, {
    errors: [{ pointer: '/query', code: 'INVALID_SEARCH', detail }],
  });
}
