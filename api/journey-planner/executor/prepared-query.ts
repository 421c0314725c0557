/**
 * Queries by their text: looked through once by the guards, then found again. What the guards refuse is not kept, so a flood of
 * hostile queries pushes nobody's good ones out. Called for each request before Apollo sees it.
 */

import { checkDocument } from '../guards/check-document.ts';
import { parseWithin } from '../guards/check-text.ts';
import type { GraphqlLimits } from '../guards/limits.ts';
import { type CostOfQuery, costOf } from '../guards/query-cost.ts';
import { LruCache } from './lru-cache.ts';

export class PreparedQueries {
  readonly #limits: GraphqlLimits;
  readonly #kept: LruCache<CostOfQuery>;

  constructor(limits: GraphqlLimits) {
    this.#limits = limits;
    this.#kept = new LruCache(limits.GRAPHQL_CACHED_QUERIES, limits.GRAPHQL_CACHED_CHARACTERS);
  }

  /** Throws what a guard says. */
  check(text: string, operationName: string | undefined, variables: Readonly<Record<string, unknown>>): void {
    let cost = this.#kept.get(text);
    if (!cost) {
      const document = parseWithin(text, this.#limits);
      checkDocument(document, this.#limits);
      cost = costOf(document, this.#limits);
      this.#kept.set(text, cost, text.length);
    }
    cost.check(operationName, variables);
  }
}
