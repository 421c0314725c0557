/**
 * Makes a stricter OpenAPI document from the served one, for a fuzzer to check answers with. Rules that the served
 * document states in prose become schemas, and examples name existing resources. Used by fuzz-api.ts.
 */
import { type Json, resolve, toJson } from '../../api/shared/openapi-reference.ts';
import type { Bodies } from './fuzz-api-sales.ts';

/** Values for the parameters of an operation, by name. */
export type PathExamples = (operationId: string, path: string) => Readonly<Record<string, string>>;

export interface TestedOperation {
  readonly operationId: string;
  readonly path: string;
  /** As the report of Schemathesis names it. */
  readonly label: string;
}

export interface TestedDocument {
  readonly document: Json;
  readonly operations: readonly TestedOperation[];
}

type Draft = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/**
 * Removes default answers, so each status must be named. Except in a merge patch, members accept null where they may be
 * absent, as the text of the document states.
 */
export function toTestedDocument(served: Json, examplesFor: PathExamples, bodies: Bodies = {}): TestedDocument {
  const document = structuredClone(served) as Draft;
  const seen = new Set<Json>();
  const operations: TestedOperation[] = [];
  for (const [path, item] of Object.entries(toJson(document.paths, 'paths'))) {
    const { parameters: shared = [], ...methods } = toJson(item, path);
    for (const [method, source] of Object.entries(methods)) {
      if (!METHODS.includes(method)) continue;
      const operation = toDraft(source, path);
      const operationId = String(operation.operationId);
      operations.push({ operationId, path, label: `${method.toUpperCase()} ${path}` });
      const answers = toDraft(operation.responses, path);
      delete answers.default;
      // Answered before the request has a path.
      answers[431] = { description: 'The request header is too large' };
      const examples = examplesFor(operationId, path);
      operation.parameters = [shared, operation.parameters ?? []]
        .flat()
        .map((parameter) => withExample(document, parameter, path, examples));
      if (method !== 'patch' && operation.requestBody) allowNulls(document, operation.requestBody, path, seen);
      const live = bodies[operationId];
      if (live) offerBodies(document, operation, path, live);
    }
    delete toDraft(item, path).parameters;
  }
  return { document, operations };
}

function withExample(document: Json, given: unknown, path: string, examples: Readonly<Record<string, string>>): Json {
  const [parameter] = resolve(document, given, path);
  if (parameter.name === 'If-Match') return withoutExample(parameter);
  const example = examples[String(parameter.name)];
  if (example === undefined) return parameter;
  const [schema] = resolve(document, parameter.schema, path);
  // Half of the generated lists are then this one.
  if (schema.type === 'array')
    return { ...parameter, schema: { anyOf: [{ enum: [[example]] }, schema] }, example: [example] };
  return { ...parameter, example };
}

/** The state that its example names is that of no order here: every request with it would be refused. */
function withoutExample({ example: _one, examples: _many, ...parameter }: Json): Json {
  return parameter;
}

/** Half of the generated bodies are then one of these, and so is the example. */
function offerBodies(document: Json, operation: Draft, path: string, bodies: readonly unknown[]): void {
  const [{ content }] = resolve(document, operation.requestBody, path);
  const media = Object.entries(toJson(content, path)).map(([type, source]) => {
    const { examples: _documented, ...rest } = toDraft(source, path);
    return [type, { ...rest, schema: { anyOf: [{ enum: bodies }, rest.schema] }, example: bodies[0] }];
  });
  operation.requestBody = { ...resolve(document, operation.requestBody, path)[0], content: Object.fromEntries(media) };
}

function allowNulls(document: Json, requestBody: unknown, path: string, seen: Set<Json>): void {
  const [{ content }] = resolve(document, requestBody, path);
  for (const media of Object.values(toJson(content, path))) loosen(document, toJson(media, path).schema, path, seen);
}

/** Lets every optional and unknown member be null, at any depth: it counts as absent. Members of a pair are excluded: half a pair is incomplete. */
function loosen(document: Json, given: unknown, path: string, seen: Set<Json>): void {
  const [schema] = resolve(document, given, path);
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema.items) loosen(document, schema.items, path, seen);
  if (Array.isArray(schema.oneOf)) for (const choice of schema.oneOf) loosen(document, choice, path, seen);
  if (schema.additionalProperties === false) toDraft(schema, path).additionalProperties = { type: 'null' };
  const properties = toDraft(schema.properties ?? {}, path);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const paired = Object.keys(toJson(schema.dependentRequired ?? {}, path));
  for (const [name, member] of Object.entries(properties)) {
    loosen(document, member, path, seen);
    if (![...required, ...paired].includes(name)) properties[name] = { anyOf: [member, { type: 'null' }] };
  }
}

/** A writable view: the document is a copy. */
function toDraft(value: unknown, place: string): Draft {
  return toJson(value, place) as Draft;
}
