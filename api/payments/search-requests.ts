/** Search terms as they are stored: amounts in minor units, times as dates. */
import type { PaymentSearchField } from '../../activities/payments/payment-filter.ts';
import type { PaymentSearchRequest, PaymentSortField } from '../../activities/payments/payment-search.ts';
import type { SearchRequest, SearchTerm } from '../../platform/mongo/search-filter.ts';
import { parseAmount } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

const TIMES = new Set(['createdAt', 'updatedAt']);
/** Its digits are those of most currencies. */
const USUAL_CURRENCY = 'NOK';

export function searchOf({ terms, page, perPage, sortBy, orderBy }: SearchRequest): PaymentSearchRequest {
  const term = terms.find(({ field, operator }) => field === 'currency' && operator === 'eq');
  const currency = String(term?.values[0] ?? USUAL_CURRENCY);
  return {
    page,
    perPage,
    sortBy,
    ...(orderBy !== undefined && { orderBy: orderBy as PaymentSortField }),
    terms: terms.map(({ field, operator, values }) => ({
      field: field as PaymentSearchField,
      operator,
      values: values.map((value) => storedValue(field, value, currency)),
    })),
  };
}

function storedValue(field: string, value: SearchTerm['values'][number], currency: string): string | number | Date {
  if (TIMES.has(field)) return new Date(String(value));
  if (field !== 'totalAmount') return typeof value === 'number' ? value : String(value);
  const amountMinor = parseAmount(String(value), currency);
  if (amountMinor !== undefined) return amountMinor;
  const detail = `${field} is no amount of ${currency}.`;
  throw new ServiceError('INVALID_SEARCH', detail, {
    errors: [{ pointer: `/query/${field}`, code: 'INVALID_SEARCH', detail }],
  });
}
