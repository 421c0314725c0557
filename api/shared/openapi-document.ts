/**
 * Reads an area's OpenAPI 3.1 document and lists its operations in the form the router needs. A document that the router
 * could not enforce (open request body, unknown reference, missing operationId…) stops the process at start.
 */
import { readSource } from './checked-documents.ts';
import { listDeprecatedMembers, type MemberPath } from './deprecated-members.ts';
import { escapePointer } from './json.ts';
import { bundleDocument } from './openapi-bundle.ts';
import { type Json, requireClosed, resolve, toJson } from './openapi-reference.ts';
import { addStandards } from './openapi-standards.ts';
import {
  type ChannelUse,
  channelUseOf,
  METHODS,
  scopesOf,
  takesIdempotencyKey,
  takesSettlement,
} from './operation-kind.ts';

export interface ParameterEntry {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
  /** JSON pointer of the schema in the document, for the compiler. */
  readonly pointer: string;
  readonly operators: readonly string[] | undefined;
  /** `x-own-check`: a step of the HTTP base checks it, with codes of its own. */
  readonly ownCheck: boolean;
}

export interface OperationEntry {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly ParameterEntry[];
  /** Media type → JSON pointer of its schema; empty when the operation takes no body. */
  readonly body: ReadonlyMap<string, string>;
  readonly bodyRequired: boolean;
  /** `x-body-limit`, where more than usual is allowed. */
  readonly bodyLimit: BodyLimit | undefined;
  /** Members of the body with `deprecated: true`. */
  readonly deprecatedMembers: readonly MemberPath[];
  /** `x-streamed-body`: the handler reads the body itself. */
  readonly streamedBody: boolean;
  /** Media types of the 2xx answers, in the document's order. */
  readonly produces: readonly string[];
  /** Undefined when the operation needs no token. */
  readonly scopes: readonly string[] | undefined;
  readonly deprecated: boolean;
  /** `x-successor`: path template of what replaces a deprecated operation. */
  readonly successor: string | undefined;
  /** `x-search`: query parameters are search terms; with `plain` each text is the value, without operators. */
  readonly search: 'operators' | 'plain' | undefined;
  /** `x-verbatim`: members of the body whose content is kept as sent, nulls included. */
  readonly verbatim: ReadonlySet<string>;
  /** `x-any-accept`: the answer is sent whatever `Accept` says. */
  readonly anyAccept: boolean;
  /** False with `x-idempotency-key: false`, and without a token. */
  readonly takesIdempotencyKey: boolean;
  /** `x-distribution-channel`: it takes the header, or requires it. */
  readonly channel: ChannelUse | undefined;
  /** `x-settlement`: it takes the header `Service-Settlement-Id`. */
  readonly takesSettlement: boolean;
  /** `x-errors`: name of the area's own presentation of errors. */
  readonly errors: string | undefined;
  /** `x-audit`: the audit log records each call. `id` is the path parameter that names the resource. */
  readonly audit: AuditEntryOfOperation | undefined;
}

/** Of a JSON body: its size, and its values as `MAX_JSON_VALUES` counts them. */
export interface BodyLimit {
  readonly bytes: number;
  readonly values: number;
}

export interface AuditEntryOfOperation {
  readonly action: string;
  readonly resource: string;
  /** Absent where the operation makes the resource: its id then ends the `Location` of the answer. */
  readonly id: string | undefined;
  /** The operation stops harm: it goes on when the log cannot be written. */
  readonly evenUnrecorded: boolean;
}

export interface OpenApiDocument {
  readonly root: Json;
  readonly operations: readonly OperationEntry[];
  /** `x-token-paths`: below these every path needs a token, also one where there is nothing. */
  readonly tokenPaths: readonly string[];
}

export interface LoadedDocument extends OpenApiDocument {
  /** True when every file of it was checked before; its schemas are then known to compile. */
  readonly isChecked: boolean;
}

const LOCATIONS = ['path', 'query', 'header'] as const;
const DEFAULT_PREFIX = 'Service';

/**
 * The document at `file` as it is served: bundled, with the standard parts of each kind of operation. The files write
 * header names as `Service-…`; an operator may use its own prefix.
 */
export function loadDocument(file: URL, headerPrefix: string): LoadedDocument {
  const files = new Map<string, Json>();
  let isChecked = true;
  const read = (url: URL): Json => {
    const known = files.get(url.href);
    if (known) return known;
    const source = readSource(url);
    const content = toJson(withPrefix(source.content, headerPrefix), url.pathname);
    isChecked &&= source.isChecked;
    files.set(url.href, content);
    return content;
  };
  try {
    const root = bundleDocument(addStandards(read(file), file, read), file, read);
    if (!String(root.openapi).startsWith('3.1')) throw new Error('must be OpenAPI 3.1');
    const tokenPaths = root['x-token-paths'];
    return {
      root,
      operations: listOperations(root),
      tokenPaths: Array.isArray(tokenPaths) ? tokenPaths.map(String) : [],
      isChecked,
    };
  } catch (error) {
    throw new Error(`${file.pathname}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function withPrefix(value: unknown, prefix: string): unknown {
  if (prefix === DEFAULT_PREFIX) return value;
  if (typeof value === 'string') return value.replaceAll(/\bService-(?=[A-Z])/g, `${prefix}-`);
  if (Array.isArray(value)) return value.map((item) => withPrefix(item, prefix));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [withPrefix(name, prefix), withPrefix(member, prefix)]);
  return Object.fromEntries(members);
}

function listOperations(root: Json): readonly OperationEntry[] {
  const operations: OperationEntry[] = [];
  for (const [path, item] of Object.entries(toJson(root.paths ?? {}, 'paths'))) {
    const pathItem = toJson(item, path);
    for (const method of METHODS) {
      if (pathItem[method] !== undefined) operations.push(toOperation(root, path, method, pathItem));
    }
  }
  const ids = new Set(operations.map((operation) => operation.operationId));
  if (ids.size !== operations.length) throw new Error('an operationId is used twice');
  return operations;
}

function toOperation(root: Json, path: string, method: string, pathItem: Json): OperationEntry {
  const base = `/paths/${escapePointer(path)}`;
  const source = toJson(pathItem[method], `${method} ${path}`);
  const { operationId } = source;
  if (typeof operationId !== 'string') throw new Error(`${method} ${path} has no operationId`);
  const deprecated = source.deprecated === true;
  const successor = source['x-successor'];
  if (deprecated && typeof successor !== 'string') throw new Error(`${operationId} is deprecated without x-successor`);
  const errors = source['x-errors'];
  const streamedBody = source['x-streamed-body'] === true;
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    parameters: [
      ...listParameters(root, pathItem.parameters, `${base}/parameters`),
      ...listParameters(root, source.parameters, `${base}/${method}/parameters`),
    ],
    ...bodyOf(root, source, `${base}/${method}/requestBody`, streamedBody),
    bodyLimit: bodyLimitOf(source['x-body-limit'], operationId),
    streamedBody,
    produces: producedTypes(root, source),
    scopes: scopesOf(root, source),
    deprecated,
    successor: typeof successor === 'string' ? successor : undefined,
    search: searchOf(source['x-search']),
    verbatim: new Set(Array.isArray(source['x-verbatim']) ? source['x-verbatim'].map(String) : []),
    anyAccept: source['x-any-accept'] === true,
    takesIdempotencyKey: takesIdempotencyKey(root, source, method),
    channel: channelUseOf(root, source),
    takesSettlement: takesSettlement(root, source),
    errors: typeof errors === 'string' ? errors : undefined,
    audit: auditOf(source['x-audit'], operationId),
  };
}

function auditOf(value: unknown, operationId: string): OperationEntry['audit'] {
  if (value === undefined) return undefined;
  const { action, resource, id, evenUnrecorded } = toJson(value, `x-audit of ${operationId}`);
  if (typeof action !== 'string' || typeof resource !== 'string') {
    throw new Error(`x-audit of ${operationId} needs an action and a resource`);
  }
  return { action, resource, id: typeof id === 'string' ? id : undefined, evenUnrecorded: evenUnrecorded === true };
}

function bodyLimitOf(value: unknown, operationId: string): BodyLimit | undefined {
  if (value === undefined) return undefined;
  const { bytes, values } = toJson(value, `x-body-limit of ${operationId}`);
  if (typeof bytes !== 'number' || typeof values !== 'number') {
    throw new Error(`x-body-limit of ${operationId} needs bytes and values`);
  }
  return { bytes, values };
}

function searchOf(value: unknown): OperationEntry['search'] {
  if (value === 'plain') return 'plain';
  return value === true ? 'operators' : undefined;
}

function listParameters(root: Json, list: unknown, base: string): readonly ParameterEntry[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new Error(`${base} is not a list`);
  return list.map((item, index) => {
    const [parameter, pointer] = resolve(root, item, `${base}/${index}`);
    const location = LOCATIONS.find((each) => each === parameter.in);
    if (typeof parameter.name !== 'string' || !location) throw new Error(`${pointer} is not a parameter`);
    const [schema] = resolve(root, parameter.schema, `${pointer}/schema`);
    const operators = parameter['x-operators'];
    return {
      name: parameter.name,
      in: location,
      required: parameter.required === true,
      schema,
      pointer: `${pointer}/schema`,
      operators: Array.isArray(operators) ? operators.map(String) : undefined,
      ownCheck: parameter['x-own-check'] === true,
    };
  });
}

function bodyOf(root: Json, source: Json, base: string, streamed: boolean) {
  const body = new Map<string, string>();
  if (source.requestBody === undefined) return { body, bodyRequired: false, deprecatedMembers: [] };
  const deprecatedMembers: MemberPath[] = [];
  const [requestBody, pointer] = resolve(root, source.requestBody, base);
  for (const [type, media] of Object.entries(toJson(requestBody.content, `${pointer}/content`))) {
    const schemaPointer = `${pointer}/content/${escapePointer(type)}/schema`;
    const [schema] = resolve(root, toJson(media, type).schema, schemaPointer);
    if (!streamed) requireClosed(root, schema, schemaPointer);
    deprecatedMembers.push(...listDeprecatedMembers(root, schema, schemaPointer));
    body.set(type.toLowerCase(), schemaPointer);
  }
  return { body, bodyRequired: requestBody.required === true, deprecatedMembers };
}

function producedTypes(root: Json, source: Json): readonly string[] {
  const types = new Set<string>();
  for (const [status, response] of Object.entries(toJson(source.responses ?? {}, 'responses'))) {
    if (!status.startsWith('2')) continue;
    const [resolved] = resolve(root, response, status);
    for (const type of Object.keys(toJson(resolved.content ?? {}, 'content'))) types.add(type.toLowerCase());
  }
  return [...types];
}
