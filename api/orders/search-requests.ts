/** Search terms as they are stored: amounts in minor units, times as dates. */

import type { OrderSearchField } from '../../activities/orders/order-filter.ts';
import type { OrderSearchRequest, OrderSortField } from '../../activities/orders/order-search.ts';
import type { SearchRequest, SearchTerm } from '../../platform/mongo/search-filter.ts';
import { parseAmount } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';

const AMOUNTS = new Set(['balance', 'totalAmount']);
const TIMES = new Set(['createdAt', 'lastConfirmedAt', 'startTime', 'endTime']);
const UUIDS = new Set(['orderLineId', 'reservationId']);
/** Its digits are those of most currencies. */
const USUAL_CURRENCY = 'NOK';

export function searchOf({ terms, page, perPage, sortBy, orderBy }: SearchRequest): OrderSearchRequest {
  const currency = currencyOf(terms);
  return {
    page,
    perPage,
    sortBy,
    ...(orderBy !== undefined && { orderBy: orderBy as OrderSortField }),
    terms: terms.map(({ field, operator, values }) => ({
      field: field as OrderSearchField,
      operator,
      values: values.map((value) => storedValue(field, value, currency)),
    })),
  };
}

function currencyOf(terms: readonly SearchTerm[]): string {
  const term = terms.find(({ field, operator }) => field === 'currency' && operator === 'eq');
  return String(term?.values[0] ?? USUAL_CURRENCY);
}

function storedValue(field: string, value: SearchTerm['values'][number], currency: string): string | number | Date {
  if (TIMES.has(field)) return new Date(String(value));
  if (UUIDS.has(field)) return plainUuid(String(value));
  if (!AMOUNTS.has(field)) return typeof value === 'number' ? value : String(value);
  const amountMinor = parseAmount(String(value), currency);
  if (amountMinor !== undefined) return amountMinor;
  const detail = `${field} is no amount of ${currency}.`;
  throw new ServiceError('INVALID_SEARCH', detail, {
    errors: [{ pointer: `/query/${field}`, code: 'INVALID_SEARCH', detail }],
  });
}
