/**
 * Makes the values of a synchronous query (`sync-query.ts`) from the results of resolvers. Usual values become the same
 * as in graphql-js; any other value ends the synchronous attempt.
 */
import type { GraphQLLeafType } from 'graphql';
import type { RequestContext } from '../resolvers/request-context.ts';

/** Coerced variables. */
export type Variables = Record<string, unknown>;

export interface Run {
  readonly context: RequestContext;
  readonly variables: Variables;
  /** Arguments by field, the same for each item of a list. */
  readonly args: unknown[];
}

export type Complete = (value: unknown, run: Run) => unknown;

/** Created once, since nobody reads its stack. */
export const LEAVE = new Error('This query cannot be executed at once');
export const WAITS = new Error('Something in the answer is waited for');

export function leafOf(type: GraphQLLeafType): Complete {
  return (value) => type.serialize(typeof value === 'object' ? readyMade(value) : value) ?? leave();
}

export function listOf(complete: Complete): Complete {
  return (value, run) => {
    const items = readyMade(value) as Iterable<unknown>;
    if (typeof items !== 'object' || !(Symbol.iterator in items)) leave();
    const made: unknown[] = [];
    for (const item of items) made.push(complete(item, run));
    return made;
  };
}

/** Reads a property as graphql-js does without a resolver. A method ends the attempt. */
export function propertyOf(name: string): (source: unknown) => unknown {
  return (source) => {
    const value = (source as Record<string, unknown> | undefined)?.[name];
    return typeof value === 'function' ? leave() : value;
  };
}

/** Returns the value unless it is a promise or an error, which end the attempt. */
export function readyMade(value: unknown): unknown {
  if (value instanceof Error) leave();
  const { then } = value as Partial<PromiseLike<unknown>>;
  if (typeof then !== 'function') return value;
  // Nobody reads the result of an abandoned promise.
  then.call(value, undefined, () => {});
  throw WAITS;
}

export function leave(): never {
  throw LEAVE;
}
