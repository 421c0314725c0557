/** Resolves `$ref`s in a parsed OpenAPI document and checks whether request schemas are closed. Pure. */
import { escapePointer, unescapePointer } from './json.ts';

export type Json = { readonly [name: string]: unknown };

/** Follows `$ref`s inside the document; returns the object and its pointer. */
export function resolve(root: Json, value: unknown, pointer: string, hops = 0): readonly [Json, string] {
  const object = toJson(value, pointer);
  const reference = object.$ref;
  if (typeof reference !== 'string') return [object, pointer];
  if (!reference.startsWith('#/') || hops > 8) throw new Error(`${pointer}: reference ${reference} cannot be followed`);
  let target: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    target = toJson(target, reference)[unescapePointer(part)];
  }
  return resolve(root, target, reference.slice(1), hops + 1);
}

export function toJson(value: unknown, place: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${place} is not an object`);
  return value as Json;
}

/**
 * Requests are closed at every level: an object schema that lets unknown members pass must say so on purpose with
 * `x-open`. Parts of a composition are closed by `unevaluatedProperties` of the whole, so they are not looked into; choices
 * with a `discriminator` are whole objects.
 */
export function requireClosed(root: Json, value: unknown, place: string, seen = new Set<Json>()): void {
  const [schema, pointer] = resolve(root, value, place);
  if (seen.has(schema)) return;
  seen.add(schema);
  const choices = schema.discriminator !== undefined && Array.isArray(schema.oneOf) ? schema.oneOf : [];
  const closed = schema.additionalProperties === false || schema.unevaluatedProperties === false || choices.length > 0;
  if ([schema.type].flat().includes('object') && !closed && schema['x-open'] !== true) {
    throw new Error(`the request body ${pointer} must have additionalProperties: false`);
  }
  for (const [name, property] of Object.entries(toJson(schema.properties ?? {}, pointer))) {
    requireClosed(root, property, `${pointer}/properties/${escapePointer(name)}`, seen);
  }
  for (const [at, choice] of choices.entries()) requireClosed(root, choice, `${pointer}/oneOf/${at}`, seen);
  if (schema.items !== undefined) requireClosed(root, schema.items, `${pointer}/items`, seen);
}
