/**
 * How much an answer may still grow, and until when. Lists whose sizes are not in the request are counted here while the answer is
 * made; the first refusal ends the request. Made by the executor, asked by every list field (`../schema/load-schema.ts`).
 */
import type { FieldNode, GraphQLError } from 'graphql';
import type { GraphqlLimits } from './limits.ts';
import { limitExceeded } from './refusal.ts';

/** Expectations are means: only what is far beyond the limit is refused by them, the rest is counted. */
const EXPECTED_FACTOR = 1.5;

export class ItemBudget {
  /** Items below one item of a list, by its field: kept here since variables have a part in it (`expected-items.ts`). */
  readonly expected = new Map<FieldNode, number>();
  readonly #limits: GraphqlLimits;
  readonly #deadline: number;
  #taken = 0;
  #refusal: GraphQLError | undefined;
  readonly #refused = Promise.withResolvers<GraphQLError>();

  constructor(limits: GraphqlLimits) {
    this.#limits = limits;
    this.#deadline = performance.now() + limits.GRAPHQL_TIMEOUT_MS;
  }

  /** Why the answer was given up; undefined: it was not. */
  get refusal(): GraphQLError | undefined {
    return this.#refusal;
  }

  /** Resolves when the answer is given up. */
  get whenRefused(): Promise<GraphQLError> {
    return this.#refused.promise;
  }

  /** `field` names the list for the refusal; `expectedItems` are still to come below it. */
  take(items: number, field?: () => string, expectedItems = 0): void {
    this.#taken += items;
    const { GRAPHQL_MAX_ITEMS: maximum } = this.#limits;
    if (this.#taken > maximum || this.#taken + expectedItems > EXPECTED_FACTOR * maximum) {
      const at = field && { field: field() };
      this.#refuse(limitExceeded('items', maximum, 'number of items in the answer', at));
    }
    this.checkTime();
  }

  checkTime(): void {
    if (performance.now() > this.#deadline) this.#refuse(timeExceeded(this.#limits));
    if (this.#refusal) throw this.#refusal;
  }

  #refuse(error: GraphQLError): void {
    this.#refusal ??= error;
    this.#refused.resolve(this.#refusal);
  }
}

export function timeExceeded({ GRAPHQL_TIMEOUT_MS }: GraphqlLimits): GraphQLError {
  return limitExceeded('time', GRAPHQL_TIMEOUT_MS, 'time for the answer, in milliseconds,');
}
