/**
 * Checks path, query and header parameters against the document and turns texts into the types it names. Compiled once
 * per operation; unknown query parameters are refused like unknown members of a body.
 */
import { type ErrorItem, ServiceError } from '../../workflows/shared/service-error.ts';
import type { OperationEntry, ParameterEntry } from './openapi-document.ts';
import { type Json, toJson } from './openapi-reference.ts';
import type { Check, SchemaChecks } from './schema-check.ts';

export interface CheckedParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface RawParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
}

export type ParameterCheck = (raw: RawParameters) => CheckedParameters;

interface Compiled {
  readonly entry: ParameterEntry;
  readonly check: Check;
}

/** With `x-search` the query is left to the search step. */
export function compileParameters(operation: OperationEntry, checks: SchemaChecks): ParameterCheck {
  const compiled = operation.parameters
    .filter((entry) => !entry.ownCheck && !(operation.search && entry.in === 'query'))
    .map((entry) => ({ entry, check: checks.compile(entry.pointer) }));
  const known = new Set(operation.parameters.filter((entry) => entry.in === 'query').map((entry) => entry.name));
  return (raw) => {
    const query: Record<string, unknown> = {};
    const errors = compiled.flatMap((each) => checkOne(each, raw, query));
    if (!operation.search) errors.push(...unknownParameters(raw.query, known));
    if (errors.length > 0) throw refusal(errors);
    return { path: raw.path, query };
  };
}

function checkOne({ entry, check }: Compiled, raw: RawParameters, query: Record<string, unknown>): ErrorItem[] {
  const pointer = `/${entry.in}/${entry.name}`;
  const texts = textsOf(entry, raw);
  if (texts.length === 0) {
    return entry.required ? [{ pointer, code: 'REQUIRED', detail: 'is required' }] : [];
  }
  const list = typeOf(entry.schema) === 'array';
  if (!list && texts.length > 1) return [{ pointer, code: 'REPEATED', detail: 'must not be repeated' }];
  const value = list
    ? texts.map((text) => toTyped(text, itemSchema(entry.schema)))
    : toTyped(texts[0] ?? '', entry.schema);
  const errors = check(value);
  if (entry.in === 'query') query[entry.name] = value;
  return errors.map((error) => ({ ...error, pointer: `${pointer}${error.pointer}` }));
}

function textsOf(entry: ParameterEntry, raw: RawParameters): readonly string[] {
  if (entry.in === 'query') return raw.query.getAll(entry.name);
  const text = entry.in === 'path' ? raw.path[entry.name] : raw.header(entry.name);
  return text === undefined ? [] : [text];
}

function unknownParameters(query: URLSearchParams, known: ReadonlySet<string>): readonly ErrorItem[] {
  return [...new Set(query.keys())]
    .filter((name) => !known.has(name))
    .map((name) => ({ pointer: `/query/${name}`, code: 'UNKNOWN_PARAMETER', detail: 'is not known here' }));
}

/** A malformed identifier in the path has a code of its own: no such resource can exist. */
function refusal(errors: readonly ErrorItem[]): ServiceError {
  const code = errors.every((error) => error.pointer.startsWith('/path/')) ? 'INVALID_IDENTIFIER' : 'VALIDATION_FAILED';
  const [first] = errors;
  return new ServiceError(code, `${first?.pointer.slice(1)} ${first?.detail}`, { errors });
}

/** The text unchanged when it is not of the type: the schema check then says so. */
export function toTyped(text: string, schema: Json): string | number | boolean {
  const type = typeOf(schema);
  if (type === 'integer' && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d{1,16}(\.\d{1,16})?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function typeOf(schema: Json): unknown {
  return schema.type;
}

function itemSchema(schema: Json): Json {
  return schema.items === undefined ? {} : toJson(schema.items, 'items');
}
