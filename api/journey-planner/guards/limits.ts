/**
 * How much one GraphQL request may ask. Each number is configuration; a refusal names the limit and its value. Counted before
 * anything costly is done with the query: what validation takes grows with the square of some of these.
 */
import { z } from 'zod';

const count = z.coerce.number().int().positive();

/** Part of the process configuration (`../config.ts`). */
export const graphqlLimitsShape = {
  /** How deep selections are nested, fragments included, introspection not. */
  GRAPHQL_MAX_DEPTH: count.default(20),
  /** Aliases of one operation; those of a fragment count each time it is used. */
  GRAPHQL_MAX_ALIASES: count.default(50),
  /** Each field costs 1, of introspection 3, times the requested sizes of the lists around it. */
  GRAPHQL_MAX_COST: count.default(200_000),
  /** Items of all lists of an answer together, where their sizes are not in the request. */
  GRAPHQL_MAX_ITEMS: count.default(100_000),
  /** Fields of one operation with all its fragments written out. */
  GRAPHQL_MAX_FIELDS: count.default(2_000),
  /** The same name in one place, as fragments bring it: they are compared in pairs. */
  GRAPHQL_MAX_REPEATED_FIELDS: count.default(50),
  GRAPHQL_MAX_DIRECTIVES: count.default(100),
  /** Operations and fragments of one document. */
  GRAPHQL_MAX_DEFINITIONS: count.default(100),
  GRAPHQL_MAX_TOKENS: count.default(10_000),
  GRAPHQL_MAX_BODY_BYTES: count.default(102_400),
  GRAPHQL_TIMEOUT_MS: count.default(10_000),
  /** How long an answer is made at a stretch before other requests have their turn. */
  GRAPHQL_SLICE_MS: z.coerce.number().nonnegative().default(10),
  /** Queries kept parsed, checked and compiled, per dialect; and the characters of their texts: one of 2,000 takes some 200 KB. */
  GRAPHQL_CACHED_QUERIES: count.default(200),
  GRAPHQL_CACHED_CHARACTERS: count.default(150_000),
} as const;

export type GraphqlLimits = z.infer<z.ZodObject<typeof graphqlLimitsShape>>;
