/**
 * Search on GET collections: `field=op:value`, paging and order, all from the document. Fields are the query parameters
 * of an operation with `x-search: true`; `x-operators` on one narrows its operators. `orderBy`'s schema lists the
 * fields to order by. The default of `sortBy`'s schema is the direction when none is given. With `x-search: plain` a
 * field occurs at most once, and its whole text is the value.
 */
import {
  SEARCH_OPERATORS,
  type SearchOperator,
  type SearchRequest,
  type SearchTerm,
} from '../../platform/mongo/search-filter.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OperationEntry, ParameterEntry } from './openapi-document.ts';
import type { Json } from './openapi-reference.ts';
import { toTyped } from './parameters.ts';
import type { Check, SchemaChecks } from './schema-check.ts';

export const PER_PAGE_DEFAULT = 25;
export const PER_PAGE_MAX = 100;
const PAGE_MAX = 1_000_000;
const LIST_MAX = 100;
const TERMS_MAX = 50;
/** Two to four small letters before a colon are an operator. Anything else belongs to the value, as in `NSR:StopPlace:337`. */
const OPERATOR_PREFIX = /^([a-z]{2,4}):(.*)$/s;
/** Parameters of a search that are no terms. */
export const PAGING = new Set(['page', 'perPage', 'orderBy', 'sortBy']);

export type SearchParser = (query: URLSearchParams) => SearchRequest;

interface Field {
  readonly entry: ParameterEntry;
  readonly check: Check;
}

export function compileSearch(operation: OperationEntry, checks: SchemaChecks): SearchParser {
  const fields = new Map<string, Field>();
  for (const entry of operation.parameters) {
    if (entry.in !== 'query' || PAGING.has(entry.name)) continue;
    fields.set(entry.name, { entry, check: checks.compile(entry.pointer) });
  }
  const paging = (name: string) =>
    operation.parameters.find((entry) => entry.in === 'query' && entry.name === name)?.schema;
  const [order, direction] = [paging('orderBy'), paging('sortBy')];
  return (query) => {
    const given = [...query].filter(([name]) => !PAGING.has(name));
    if (operation.search === 'plain') for (const [name] of given) single(query, name);
    const split = operation.search === 'plain' ? asPlain : splitOperator;
    const terms = given.map(([name, text]) => toTerm(fields, name, text, split));
    if (terms.length > TERMS_MAX) throw invalid('', `A search has at most ${TERMS_MAX} terms.`);
    return {
      terms,
      page: toNumber(query, 'page', 1, PAGE_MAX),
      perPage: toNumber(query, 'perPage', PER_PAGE_DEFAULT, PER_PAGE_MAX),
      orderBy: toOrder(query, order),
      sortBy: toDirection(query, direction),
    };
  };
}

type Split = (name: string, text: string) => readonly [SearchOperator, string];

const asPlain: Split = (_, text) => ['eq', text];

function toTerm(fields: ReadonlyMap<string, Field>, name: string, text: string, split: Split): SearchTerm {
  const field = fields.get(name);
  if (!field) throw invalid(name, `${name} is not a search field. These are: ${[...fields.keys()].join(', ')}.`);
  const [operator, value] = split(name, text);
  const operators = field.entry.operators ?? SEARCH_OPERATORS;
  if (!operators.includes(operator)) {
    throw invalid(name, `${name} cannot be searched with ${operator}, but with: ${operators.join(', ')}.`);
  }
  const texts = operator === 'in' || operator === 'nin' ? value.split(',') : [value];
  if (texts.length > LIST_MAX) throw invalid(name, `A list has at most ${LIST_MAX} values.`);
  const values = texts.map((each) => toTyped(each, field.entry.schema));
  for (const each of values) {
    const [problem] = field.check(each);
    if (problem) throw invalid(name, `${name} ${problem.detail}.`);
  }
  return { field: name, operator, values };
}

function splitOperator(name: string, text: string): readonly [SearchOperator, string] {
  const match = OPERATOR_PREFIX.exec(text);
  if (!match) return ['eq', text];
  const operator = SEARCH_OPERATORS.find((each) => each === match[1]);
  if (!operator)
    throw invalid(name, `${match[1]} is not a search operator. These are: ${SEARCH_OPERATORS.join(', ')}.`);
  return [operator, match[2] ?? ''];
}

function toNumber(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const text = single(query, name);
  if (text === undefined) return fallback;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw invalid(name, `${name} must be between 1 and ${max}.`);
  return value;
}

function toOrder(query: URLSearchParams, schema: Json | undefined): string | undefined {
  const text = single(query, 'orderBy');
  const allowed: readonly unknown[] = Array.isArray(schema?.enum) ? schema.enum : [];
  if (text === undefined) return typeof schema?.default === 'string' ? schema.default : undefined;
  if (!allowed.includes(text)) throw invalid('orderBy', `orderBy must be one of ${allowed.join(', ')}.`);
  return text;
}

function toDirection(query: URLSearchParams, schema: Json | undefined): 'asc' | 'desc' {
  const text = single(query, 'sortBy') ?? schema?.default ?? 'asc';
  if (text !== 'asc' && text !== 'desc') throw invalid('sortBy', 'sortBy must be asc or desc.');
  return text;
}

function single(query: URLSearchParams, name: string): string | undefined {
  const [text, ...more] = query.getAll(name);
  if (more.length > 0) throw invalid(name, `${name} must not be repeated.`);
  return text;
}

function invalid(name: string, detail: string): ServiceError {
  return new ServiceError('INVALID_SEARCH', detail, {
    errors: [{ pointer: name === '' ? '/query' : `/query/${name}`, code: 'INVALID_SEARCH', detail }],
  });
}
