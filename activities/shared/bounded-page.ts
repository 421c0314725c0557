/**
 * One page of a search that callers word themselves. Whatever they ask for, the database skips, counts and works within
 * limits. Callers: the stores that GET collections search.
 */
import type { mongo } from 'mongoose';
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** Items that paging reaches, and the most that are counted: the cost of both rises with every item passed over. */
export const MAX_SEARCHED_ITEMS = 10_000;
/** Searches that an index serves take milliseconds. */
export const LONGEST_SEARCH_MS = 5_000;

const MAX_TIME_EXPIRED = 50;

export interface WantedPage {
  readonly page: number;
  readonly perPage: number;
  readonly sort: mongo.Sort;
  readonly projection?: mongo.Document;
  /** Name of the index that is used. */
  readonly hint?: string;
  readonly maxTimeMs?: number;
}

export interface BoundedPage {
  readonly documents: readonly mongo.Document[];
  /** At most {@link MAX_SEARCHED_ITEMS}. */
  readonly totalItems: number;
}

/** Throws INVALID_SEARCH for a page out of reach, UNAVAILABLE when the search takes too long. */
export async function findPage<Stored extends mongo.Document>(
  collection: mongo.Collection<Stored>,
  filter: mongo.Filter<Stored>,
  { page, perPage, sort, projection, hint, maxTimeMs: maxTimeMS = LONGEST_SEARCH_MS }: WantedPage,
): Promise<BoundedPage> {
  if (page * perPage > MAX_SEARCHED_ITEMS) throw tooFar();
  const options = { maxTimeMS, ...(hint !== undefined && { hint }) };
  try {
    const [documents, totalItems] = await Promise.all([
      collection
        .find(filter, { ...options, promoteBuffers: true, ...(projection && { projection }) })
        .sort(sort)
        .skip((page - 1) * perPage)
        .limit(perPage)
        .toArray(),
      collection.countDocuments(filter, { ...options, limit: MAX_SEARCHED_ITEMS }),
    ]);
    return { documents: documents as readonly mongo.Document[], totalItems };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === MAX_TIME_EXPIRED) throw tooSlow(maxTimeMS);
    throw error;
  }
}

export interface WantedUnwoundPage extends WantedPage {
  /** The member whose elements are the items: each document comes once for each, with the one element in it. */
  readonly unwind: string;
  /** What an element must meet. */
  readonly items: object;
  /** `sort` names members of elements. Costs more: all that are found are sorted, in memory. */
  readonly sortsItems?: true;
  /** Elements of one document come last first. */
  readonly isReversed?: boolean;
}

/** Like `findPage`, for items that are elements of a member. Elements of one document keep their order, or the reverse of it, unless they are sorted. */
export async function findUnwoundPage<Stored extends mongo.Document>(
  collection: mongo.Collection<Stored>,
  filter: mongo.Filter<Stored>,
  wanted: WantedUnwoundPage,
): Promise<BoundedPage> {
  const { page, perPage, sort, projection, hint, maxTimeMs: maxTimeMS = LONGEST_SEARCH_MS } = wanted;
  const { unwind, items, isReversed = false } = wanted;
  if (page * perPage > MAX_SEARCHED_ITEMS) throw tooFar();
  const options = { maxTimeMS, promoteBuffers: true, ...(hint !== undefined && { hint }) };
  const unwound = [{ $unwind: `$${unwind}` }, { $match: items }];
  const reversed = isReversed ? [{ $set: { [unwind]: { $reverseArray: `$${unwind}` } } }] : [];
  const projected = projection ? [{ $project: projection }] : [];
  const sorted = wanted.sortsItems
    ? [...unwound, ...projected, { $sort: sort }]
    : [{ $sort: sort }, ...reversed, ...unwound, ...projected];
  const reached = [{ $match: filter }, ...sorted, { $skip: (page - 1) * perPage }, { $limit: perPage }];
  const counted = [{ $match: filter }, ...unwound, { $limit: MAX_SEARCHED_ITEMS }, { $count: 'totalItems' }];
  try {
    const [documents, [count]] = await Promise.all([
      collection.aggregate(reached, options).toArray(),
      collection.aggregate<{ readonly totalItems: number }>(counted, options).toArray(),
    ]);
    return { documents, totalItems: count?.totalItems ?? 0 };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === MAX_TIME_EXPIRED) throw tooSlow(maxTimeMS);
    throw error;
  }
}

function tooFar(): ServiceError {
  const detail = `Pages reach the first ${MAX_SEARCHED_ITEMS} items. Search for fewer, for example by a range of time.`;
  return new ServiceError('INVALID_SEARCH', detail, {
    errors: [{ pointer: '/query/page', code: 'INVALID_SEARCH', detail }],
  });
}

function tooSlow(maxTimeMs: number): ServiceError {
  const detail = `The search took more than ${maxTimeMs} ms. Search for fewer, for example by a range of time.`;
  return new ServiceError('UNAVAILABLE', detail, { headers: { 'Retry-After': '1' } });
}
