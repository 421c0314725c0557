/**
 * The form of resolvers. A type has one small file that exports its fields by the name the newer dialect gives them; both
 * dialects share them. What the older dialect calls otherwise stands in a table of renames, what it means otherwise in a
 * table of its own. `resolver-map.ts` puts them together; a test asks that every field has a resolver.
 */
import type { RequestContext } from './request-context.ts';

/** Synchronous wherever possible: a promise costs a turn of the event loop for each field. */
export type Fields<Source> = Readonly<
  Record<string, (source: Source, args: never, context: RequestContext) => unknown>
>;

/** Name in v2 → name in the shared fields. */
export type Renames = Readonly<Record<string, string>>;

export interface TypeResolvers {
  readonly fields: Fields<never>;
  /** Replace or add fields in one dialect. */
  readonly v2?: Fields<never>;
  readonly v3?: Fields<never>;
  readonly v2Renames?: Renames;
}

/** By type name. */
export type ResolverMap = Readonly<Record<string, TypeResolvers>>;

export const nothing = (): undefined => undefined;
export const no = (): boolean => false;
export const none = (): readonly never[] => [];
