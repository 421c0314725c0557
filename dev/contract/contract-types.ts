/**
 * The types of an area's contract, out of its bundled document: `Schemas` by the name of the component, `Operations` by
 * operationId. Called by main.ts and by the test that the types are current. Pure.
 */
import type { OpenApiDocument, OperationEntry } from '../../api/shared/openapi-document.ts';
import { type Json, resolve, toJson } from '../../api/shared/openapi-reference.ts';
import { PAGING } from '../../api/shared/search.ts';
import { SchemaTypes } from './schema-type.ts';

const JSON_TYPE = 'application/json';

/** `idsModule` is what a file beside the document imports branded ids from. */
export function contractTypes({ root, operations }: OpenApiDocument, idsModule: string): string {
  const types = new SchemaTypes(root);
  const schemas = Object.entries(toJson(toJson(root.components ?? {}, 'components').schemas ?? {}, 'schemas'));
  const schemaTypes = types.membersType(schemas.map(([name, schema]) => [name, types.typeOf(schema), true]));
  const operationTypes = types.membersType(
    operations.map((operation) => [operation.operationId, operationType(root, operation, types), true]),
  );
  const identifiers = [...types.identifiers].sort().join(', ');
  return [
    '/** Made from openapi.yaml by `npm run build:contract`; not committed. */',
    ...(identifiers === '' ? [] : [`import type { ${identifiers} } from '${idsModule}';`]),
    `export interface Schemas ${schemaTypes}`,
    `export interface Operations ${operationTypes}`,
    '',
  ].join('\n\n');
}

function operationType(root: Json, operation: OperationEntry, types: SchemaTypes): string {
  const { scopes, search, path, streamedBody } = operation;
  const parametersIn = (location: 'path' | 'query' | 'header'): string =>
    types.membersType(
      operation.parameters
        .filter((parameter) => parameter.in === location && !(search && PAGING.has(parameter.name)))
        .map(({ name, schema, required }) => [
          location === 'header' ? name.toLowerCase() : name,
          location === 'header' ? 'string' : types.typeOf(schema),
          required,
        ]),
    );
  return types.membersType([
    ['path', parametersIn('path'), true],
    ['query', search === 'operators' ? '{}' : parametersIn('query'), true],
    ['headers', parametersIn('header'), true],
    ['body', streamedBody ? 'undefined' : bodyType(root, operation, types), true],
    ['replies', repliesType(root, operation, types), true],
    ['isSecured', String(scopes !== undefined), true],
    ['channel', JSON.stringify(operation.channel ?? 'none'), true],
    ['isSearch', String(search !== undefined), true],
    ['namesResource', String(path.includes('{')), true],
  ]);
}

function bodyType(root: Json, { body, bodyRequired }: OperationEntry, types: SchemaTypes): string {
  const choices = new Set<string>(bodyRequired ? [] : ['undefined']);
  for (const pointer of body.values()) choices.add(types.typeOf(schemaAt(root, pointer)));
  return choices.size === 0 ? 'undefined' : [...choices].join(' | ');
}

/** As it stands in the document: a reference keeps its name. */
function schemaAt(root: Json, pointer: string): unknown {
  return resolve(root, { $ref: `#${pointer.replace(/\/schema$/, '')}` }, pointer)[0].schema;
}

/** The possible answers of a handler. Errors are thrown, except those in a shape of the area's own. */
function repliesType(root: Json, { method, path }: OperationEntry, types: SchemaTypes): string {
  const item = toJson(toJson(root.paths, 'paths')[path], path);
  const responses = toJson(toJson(item[method.toLowerCase()], path).responses ?? {}, path);
  const members = Object.entries(responses).flatMap(([status, response]) => {
    const content = toJson(resolve(root, response, status)[0].content ?? {}, status);
    const json = content[JSON_TYPE];
    if (!/^\d+$/.test(status) || (json === undefined && !/^[23]/.test(status))) return [];
    const type = json === undefined ? 'undefined' : types.typeOf(toJson(json, status).schema);
    return [[status, type, true] as const];
  });
  return types.membersType(members);
}
