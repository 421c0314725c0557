/**
 * An OpenAPI document as a fuzzer should judge by it: stricter than the served one where that leaves room, and with what it says in
 * prose put into schemas. Used by fuzz-api.ts.
 */
import { type Json, resolve, toJson } from '../../api/shared/openapi-reference.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

export interface JudgedDocument {
  readonly document: Json;
  readonly operations: number;
}

/** No answer for whatever else may be wrong: each status has to be named. `null` is absent, but in a merge patch, as the text says. */
export function toJudgedDocument(served: Json): JudgedDocument {
  const document = structuredClone(served);
  const seen = new Set<Json>();
  let operations = 0;
  for (const [path, item] of Object.entries(toJson(document.paths, 'paths'))) {
    for (const [method, source] of Object.entries(toJson(item, path))) {
      if (!METHODS.includes(method)) continue;
      operations++;
      const operation = toJson(source, path);
      delete toJson(operation.responses, path).default;
      if (method !== 'patch' && operation.requestBody) allowNulls(document, operation.requestBody, path, seen);
    }
  }
  return { document, operations };
}

function allowNulls(document: Json, requestBody: unknown, path: string, seen: Set<Json>): void {
  const [{ content }] = resolve(document, requestBody, path);
  for (const media of Object.values(toJson(content, path))) loosen(document, toJson(media, path).schema, path, seen);
}

/** Every member that is not required, at any depth, may be null. */
function loosen(document: Json, given: unknown, path: string, seen: Set<Json>): void {
  const [schema] = resolve(document, given, path);
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema.items) loosen(document, schema.items, path, seen);
  const properties = toJson(schema.properties ?? {}, path);
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, member] of Object.entries(properties)) {
    loosen(document, member, path, seen);
    if (!required.includes(name)) properties[name] = { anyOf: [member, { type: 'null' }] };
  }
}
