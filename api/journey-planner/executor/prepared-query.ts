/**
 * Checks queries, once per text; later requests find the result again. Refused queries are not kept, so a flood of
 * hostile queries evicts no good ones. It runs for each request before Apollo.
 */

import { LruCache } from '../../../platform/lru-cache.ts';
import { countTrips, type TripsOf } from '../callers/count-trips.ts';
import { checkDocument } from '../guards/check-document.ts';
import { parseWithin } from '../guards/check-text.ts';
import type { GraphqlLimits } from '../guards/limits.ts';
import { type CostOfQuery, costOf } from '../guards/query-cost.ts';

interface Known {
  readonly cost: CostOfQuery;
  readonly trips: TripsOf;
}

export class PreparedQueries {
  readonly #limits: GraphqlLimits;
  readonly #kept: LruCache<Known>;

  constructor(limits: GraphqlLimits) {
    this.#limits = limits;
    this.#kept = new LruCache(limits.GRAPHQL_CACHED_QUERIES, limits.GRAPHQL_CACHED_CHARACTERS);
  }

  /** Throws a guard's refusal. Returns the number of journey searches in the query. */
  check(text: string, operationName: string | undefined, variables: Readonly<Record<string, unknown>>): number {
    let known = this.#kept.get(text);
    if (!known) {
      const document = parseWithin(text, this.#limits);
      checkDocument(document, this.#limits);
      known = { cost: costOf(document, this.#limits), trips: countTrips(document) };
      this.#kept.set(text, known, text.length);
    }
    known.cost.check(operationName, variables);
    return known.trips(operationName);
  }
}
