/** The parsed search of an operation with `x-search: true`. The router has made it; this only satisfies the type. */
import type { SearchRequest } from '../../platform/mongo/search-filter.ts';
import type { OperationContext } from './operation.ts';

export function requireSearch(context: OperationContext): SearchRequest {
  if (!context.search) throw new Error('The operation has no x-search in its document');
  return context.search;
}
