/**
 * The form of resolvers. Each type has one small file that exports its fields under their names in the newer dialect.
 * Both dialects share them. A table of renames has the older dialect's names; another table has fields with a different
 * meaning. `resolver-map.ts` joins them, and a test checks that every field has a resolver.
 */
import type { RequestContext } from './request-context.ts';

/** Resolvers should be synchronous: a promise costs a turn of the event loop for each field. */
export type Fields<Source> = Readonly<
  Record<string, (source: Source, args: never, context: RequestContext) => unknown>
>;

/** Name in v2 → name in the shared fields. */
export type Renames = Readonly<Record<string, string>>;

export interface TypeResolvers {
  readonly fields: Fields<never>;
  /** Fields that replace or extend those of one dialect. */
  readonly v2?: Fields<never>;
  readonly v3?: Fields<never>;
  readonly v2Renames?: Renames;
}

/** By type name. */
export type ResolverMap = Readonly<Record<string, TypeResolvers>>;

export const nothing = (): undefined => undefined;
export const no = (): boolean => false;
export const none = (): readonly never[] => [];
