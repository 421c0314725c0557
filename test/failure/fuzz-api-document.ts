/**
 * An OpenAPI document as a fuzzer should judge by it: stricter than the served one where that leaves room, with what it says in
 * prose put into schemas, and with examples that exist. Used by fuzz-api.ts.
 */
import { type Json, resolve, toJson } from '../../api/shared/openapi-reference.ts';

/** What to put into the path of an operation, by the parameter's name. */
export type PathExamples = (operationId: string, path: string) => Readonly<Record<string, string>>;

export interface TestedDocument {
  readonly document: Json;
  readonly operations: readonly { readonly operationId: string; readonly path: string }[];
}

type Draft = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** No answer for whatever else may be wrong: each status has to be named. `null` is absent, but in a merge patch, as the text says. */
export function toTestedDocument(served: Json, examplesFor: PathExamples): TestedDocument {
  const document = structuredClone(served) as Draft;
  const seen = new Set<Json>();
  const operations: { operationId: string; path: string }[] = [];
  for (const [path, item] of Object.entries(toJson(document.paths, 'paths'))) {
    const { parameters: shared = [], ...methods } = toJson(item, path);
    for (const [method, source] of Object.entries(methods)) {
      if (!METHODS.includes(method)) continue;
      const operation = toDraft(source, path);
      const operationId = String(operation.operationId);
      operations.push({ operationId, path });
      delete toDraft(operation.responses, path).default;
      const examples = examplesFor(operationId, path);
      operation.parameters = [shared, operation.parameters ?? []]
        .flat()
        .map((parameter) => withExample(document, parameter, path, examples));
      if (method !== 'patch' && operation.requestBody) allowNulls(document, operation.requestBody, path, seen);
    }
    delete toDraft(item, path).parameters;
  }
  return { document, operations };
}

function withExample(document: Json, given: unknown, path: string, examples: Readonly<Record<string, string>>): Json {
  const [parameter] = resolve(document, given, path);
  const example = parameter.in === 'path' ? examples[String(parameter.name)] : undefined;
  return example === undefined ? parameter : { ...parameter, example };
}

function allowNulls(document: Json, requestBody: unknown, path: string, seen: Set<Json>): void {
  const [{ content }] = resolve(document, requestBody, path);
  for (const media of Object.values(toJson(content, path))) loosen(document, toJson(media, path).schema, path, seen);
}

/** Every member that may be missing, at any depth, may be null; not the half of a pair, which is incomplete then. */
function loosen(document: Json, given: unknown, path: string, seen: Set<Json>): void {
  const [schema] = resolve(document, given, path);
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema.items) loosen(document, schema.items, path, seen);
  const properties = toDraft(schema.properties ?? {}, path);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const paired = Object.keys(toJson(schema.dependentRequired ?? {}, path));
  for (const [name, member] of Object.entries(properties)) {
    loosen(document, member, path, seen);
    if (![...required, ...paired].includes(name)) properties[name] = { anyOf: [member, { type: 'null' }] };
  }
}

/** Within the copy, which is ours to change. */
function toDraft(value: unknown, place: string): Draft {
  return toJson(value, place) as Draft;
}
