/**
 * Members of request bodies that a document marks as deprecated. A request that gives one is answered with the headers of
 * deprecated operations. Pure; found once, at start.
 */
import { type Json, resolve, toJson } from './openapi-reference.ts';

/** Names of members from the body inwards; `*` is each item of an array. */
export type MemberPath = readonly string[];

const EACH = '*';

/** Looks into objects, their members and the items of arrays; a schema that contains itself is looked into once. */
export function listDeprecatedMembers(root: Json, schema: unknown, place: string): readonly MemberPath[] {
  return listBelow(root, schema, place, []);
}

function listBelow(root: Json, value: unknown, place: string, seen: readonly Json[]): readonly MemberPath[] {
  const [schema, pointer] = resolve(root, value, place);
  if (seen.includes(schema)) return [];
  const below = (name: string, part: unknown) =>
    listBelow(root, part, `${pointer}/${name}`, [...seen, schema]).map((path) => [name, ...path]);
  const members = Object.entries(toJson(schema.properties ?? {}, pointer)).flatMap(([name, part]) => [
    ...(toJson(part, name).deprecated === true ? [[name]] : []),
    ...below(name, part),
  ]);
  return [...members, ...(schema.items === undefined ? [] : below(EACH, schema.items))];
}

export function hasMember(body: unknown, [name, ...rest]: MemberPath): boolean {
  if (name === undefined) return body !== undefined;
  if (name === EACH) return Array.isArray(body) && body.some((item) => hasMember(item, rest));
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return false;
  return hasMember((body as Json)[name], rest);
}
