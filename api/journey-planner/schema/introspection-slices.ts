/**
 * Makes the lists of introspection count and yield as all other lists do. graphql-js has one set of these types for all
 * schemas and resolves their fields itself. So this module replaces the resolvers there, once per process. Without a
 * request context they behave as before, as for `introspectionFromSchema`. Caller: `load-schema.ts`.
 */
import { type GraphQLFieldResolver, getNullableType, introspectionTypes, isListType, isObjectType } from 'graphql';
import type { TimeSlices } from '../executor/time-slices.ts';
import type { ItemBudget } from '../guards/item-budget.ts';

export interface IntrospectionContext {
  readonly budget: ItemBudget;
  readonly slices: TimeSlices;
}

type Resolver = GraphQLFieldResolver<unknown, IntrospectionContext | undefined>;

let isDone = false;

export function sliceIntrospection(): void {
  if (isDone) return;
  isDone = true;
  for (const type of introspectionTypes) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve: Resolver | undefined = field.resolve;
      if (resolve && isListType(getNullableType(field.type))) field.resolve = sliced(resolve);
    }
  }
}

function sliced(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    const items = resolve(source, args, context, info);
    if (!context || !Array.isArray(items) || items.length === 0) return items;
    context.budget.takeIntrospection(items.length);
    const shown = context.slices.inParts(items);
    return context.slices.isOver() ? context.slices.turn().then(() => shown) : shown;
  };
}
