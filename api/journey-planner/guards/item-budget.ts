/**
 * Limits the size and time of one answer. Lists whose sizes are not in the request are counted here while the answer is
 * made. The first refusal ends the request. The executor makes it, and every list field calls it
 * (`../schema/load-schema.ts`).
 */
import type { FieldNode, GraphQLError } from 'graphql';
import type { GraphqlLimits } from './limits.ts';
import { limitExceeded } from './refusal.ts';

/** Estimates are means, so they refuse only what is far beyond the limit. Exact counts refuse the rest. */
const EXPECTED_FACTOR = 1.5;

/** Expected content below one item of a list. */
export interface Below {
  readonly items: number;
  /** Fields of the item and of the single objects below it. Fields of further lists are counted with their items. */
  readonly fields: number;
}

export class ItemBudget {
  /**
   * Items below one item of a list, by field. They are kept per request, because they depend on variables
   * (`expected-items.ts`).
   */
  readonly expected = new Map<FieldNode, Below>();
  readonly #limits: GraphqlLimits;
  readonly #deadline: number;
  #taken = 0;
  #fields = 0;
  #introspected = 0;
  #refusal: GraphQLError | undefined;
  readonly #refused = Promise.withResolvers<GraphQLError>();

  constructor(limits: GraphqlLimits) {
    this.#limits = limits;
    this.#deadline = performance.now() + limits.GRAPHQL_TIMEOUT_MS;
  }

  /** The reason why the answer was given up; undefined if it was not. */
  get refusal(): GraphQLError | undefined {
    return this.#refusal;
  }

  /** Resolves when the answer is given up. */
  get whenRefused(): Promise<GraphQLError> {
    return this.#refused.promise;
  }

  /** Counts items. `field` names the list in the refusal, and `expectedItems` are still to come below it. */
  take(items: number, field?: () => string, expectedItems = 0): void {
    this.#taken += items;
    const { GRAPHQL_MAX_ITEMS: maximum } = this.#limits;
    if (this.#taken > maximum || this.#taken + expectedItems > EXPECTED_FACTOR * maximum) {
      const at = field && { field: field() };
      this.refuse(limitExceeded('items', maximum, 'number of items in the answer', at));
    }
    this.checkTime();
  }

  /** Counts the fields of a list's items. */
  takeFields(fields: number, field?: () => string): void {
    this.#fields += fields;
    const { GRAPHQL_MAX_ANSWER_FIELDS: maximum } = this.#limits;
    if (this.#fields <= maximum) return;
    this.refuse(limitExceeded('answerFields', maximum, 'number of fields in the answer', field && { field: field() }));
    this.checkTime();
  }

  /** Counts items of the schema's description. */
  takeIntrospection(items: number): void {
    this.#introspected += items;
    const { GRAPHQL_MAX_INTROSPECTION_ITEMS: maximum } = this.#limits;
    if (this.#introspected > maximum) {
      this.refuse(limitExceeded('introspectionItems', maximum, 'number of items of introspection'));
    }
    this.checkTime();
  }

  checkTime(): void {
    if (performance.now() > this.#deadline) this.refuse(timeExceeded(this.#limits));
    if (this.#refusal) throw this.#refusal;
  }

  /** Gives the answer up. The caller gets the first refusal. */
  refuse(error: GraphQLError): void {
    this.#refusal ??= error;
    this.#refused.resolve(this.#refusal);
  }
}

export function timeExceeded({ GRAPHQL_TIMEOUT_MS }: GraphqlLimits): GraphQLError {
  return limitExceeded('time', GRAPHQL_TIMEOUT_MS, 'time for the answer, in milliseconds,');
}
