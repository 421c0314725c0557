/**
 * Limits of one GraphQL request. Each is configurable, and a refusal names the limit and its value. The guards count
 * before any costly work, because validation grows with the square of some of these numbers.
 */
import { z } from 'zod';
import { BODY_TIMEOUT_MS } from '../../shared/slow-body.ts';

const count = z.coerce.number().int().positive();

/** Part of the process configuration (`../config.ts`). */
export const graphqlLimitsShape = {
  /** Maximum nesting of selections, fragments included, introspection excluded. */
  GRAPHQL_MAX_DEPTH: count.default(20),
  /** Maximum number of aliases of one operation. Those of a fragment count each time it is used. */
  GRAPHQL_MAX_ALIASES: count.default(50),
  /** Maximum cost. Each field costs 1, or 3 in introspection, times the requested sizes of the lists around it. */
  GRAPHQL_MAX_COST: count.default(200_000),
  /** Maximum number of items in all lists of an answer whose sizes are not in the request. */
  GRAPHQL_MAX_ITEMS: count.default(100_000),
  /**
   * Maximum number of fields of these items. A field of many bytes counts as several. An answer of a million takes some
   * 40 MB.
   */
  GRAPHQL_MAX_ANSWER_FIELDS: count.default(1_000_000),
  /** Maximum number of fields of all operations with fragments expanded, and of the text: validation reads unused fragments. */
  GRAPHQL_MAX_FIELDS: count.default(1_500),
  /**
   * Maximum number of fields of the same name in one place, as fragments bring them. Validation compares them in pairs.
   */
  GRAPHQL_MAX_REPEATED_FIELDS: count.default(50),
  /**
   * Limits of introspection (`__schema`, `__type`). The queries of known tools have no alias, 230 fields, 15 levels and
   * some 1,400 items.
   */
  GRAPHQL_MAX_INTROSPECTION_ALIASES: count.default(10),
  GRAPHQL_MAX_INTROSPECTION_FIELDS: count.default(500),
  GRAPHQL_MAX_INTROSPECTION_DEPTH: count.default(25),
  GRAPHQL_MAX_INTROSPECTION_ITEMS: count.default(5_000),
  GRAPHQL_MAX_DIRECTIVES: count.default(100),
  /** Maximum number of operations and fragments of one document. */
  GRAPHQL_MAX_DEFINITIONS: count.default(50),
  /** Maximum number of variables of all operations of one document. */
  GRAPHQL_MAX_VARIABLES: count.default(100),
  /** Maximum number of tokens of a query. The longest of a known client has some 520. */
  GRAPHQL_MAX_TOKENS: count.default(4_000),
  GRAPHQL_MAX_BODY_BYTES: count.default(102_400),
  /** Time limit from the head of a request to the end of its body. */
  GRAPHQL_BODY_TIMEOUT_MS: count.default(BODY_TIMEOUT_MS),
  GRAPHQL_TIMEOUT_MS: count.default(10_000),
  /** Longest time that an answer is computed before other requests run. */
  GRAPHQL_SLICE_MS: z.coerce.number().nonnegative().default(10),
  /**
   * Cache of parsed, checked and compiled queries, per dialect: number of queries, and characters of their texts. A
   * query of 2,000 characters takes some 200 KB.
   */
  GRAPHQL_CACHED_QUERIES: count.default(200),
  GRAPHQL_CACHED_CHARACTERS: count.default(150_000),
} as const;

export type GraphqlLimits = z.infer<z.ZodObject<typeof graphqlLimitsShape>>;
