/**
 * How a query that waits for nothing (`sync-query.ts`) makes values of what resolvers give: the usual ones as graphql-js does, at all
 * others it is left.
 */
import type { GraphQLLeafType } from 'graphql';
import type { RequestContext } from '../resolvers/request-context.ts';

/** Coerced. */
export type Variables = Record<string, unknown>;

export interface Run {
  readonly context: RequestContext;
  readonly variables: Variables;
  /** By field: the same for each item of a list. */
  readonly args: unknown[];
}

export type Complete = (value: unknown, run: Run) => unknown;

/** Made once: they have no stack to tell. */
export const LEAVE = new Error('This query is to be executed another way');
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

/** As graphql-js reads what has no resolver, but for methods. */
export function propertyOf(name: string): (source: unknown) => unknown {
  return (source) => {
    const value = (source as Record<string, unknown> | undefined)?.[name];
    return typeof value === 'function' ? leave() : value;
  };
}

/** Neither a promise nor an error. */
export function readyMade(value: unknown): unknown {
  if (value instanceof Error) leave();
  const { then } = value as Partial<PromiseLike<unknown>>;
  if (typeof then !== 'function') return value;
  // The result of a broken promise is ignored.
  then.call(value, undefined, () => {});
  throw WAITS;
}

export function leave(): never {
  throw LEAVE;
}
