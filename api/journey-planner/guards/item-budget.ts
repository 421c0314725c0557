/**
 * How much an answer may still grow, and until when. Lists whose sizes are not in the request are counted here while the answer is
 * made; the first refusal ends the request. Made by the executor, asked by every list field (`../schema/load-schema.ts`).
 */
import type { GraphQLError } from 'graphql';
import type { GraphqlLimits } from './limits.ts';
import { limitExceeded } from './refusal.ts';

export class ItemBudget {
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

  take(items: number): void {
    this.#taken += items;
    if (this.#taken > this.#limits.GRAPHQL_MAX_ITEMS) {
      this.#refuse(limitExceeded('items', this.#limits.GRAPHQL_MAX_ITEMS, 'number of items in the answer'));
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
