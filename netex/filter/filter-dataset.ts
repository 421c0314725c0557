/**
 * Filters a dataset by time, content and use: reads it once for facts, decides, and reads it again while it writes what is
 * kept. Callers: see filter-types.ts.
 */
import type { FilterOutcome, FilterRequest, FilterSink } from './filter-types.ts';

export async function filterDataset(request: FilterRequest, _sink: FilterSink): Promise<FilterOutcome> {
  request.signal?.throwIfAborted();
  throw new Error('The filter is being built');
}
