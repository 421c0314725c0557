/**
 * Search terms of GET collections, and their translation to a MongoDB filter. The HTTP base parses and checks the terms
 * by the area's document; stores say which of their members a field means.
 */
export const SEARCH_OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin'] as const;
export type SearchOperator = (typeof SEARCH_OPERATORS)[number];

export interface SearchTerm {
  readonly field: string;
  readonly operator: SearchOperator;
  /** One value, or the list of `in` and `nin`; typed as the document says. */
  readonly values: readonly (string | number | boolean)[];
}

export interface SearchRequest {
  /** All must hold. */
  readonly terms: readonly SearchTerm[];
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly orderBy: string | undefined;
  readonly sortBy: 'asc' | 'desc';
}

export interface SearchPage<Item> {
  readonly items: readonly Item[];
  readonly page: number;
  readonly perPage: number;
  readonly totalItems: number;
  readonly totalPages: number;
}

export function toSearchPage<Item>(
  search: Pick<SearchRequest, 'page' | 'perPage'>,
  items: readonly Item[],
  totalItems: number,
): SearchPage<Item> {
  const { page, perPage } = search;
  return { items, page, perPage, totalItems, totalPages: Math.ceil(totalItems / perPage) };
}

/** Maps a field to the stored document: its member, and the stored form of a value. */
export interface StoredField {
  readonly member: string;
  readonly toStored?: (value: string | number | boolean) => unknown;
}

export function toMongoFilter(
  terms: readonly SearchTerm[],
  fields: Readonly<Record<string, StoredField>>,
): Record<string, unknown> {
  if (terms.length === 0) return {};
  return {
    $and: terms.map(({ field, operator, values }) => {
      const stored = fields[field];
      if (!stored) throw new Error(`No stored member is named for the search field ${field}`);
      const converted = values.map((value) => stored.toStored?.(value) ?? value);
      const operand = operator === 'in' || operator === 'nin' ? converted : converted[0];
      return { [stored.member]: { [`$${operator}`]: operand } };
    }),
  };
}
