/**
 * The document of an area as it is served. It says of each `discriminator` which value means which schema: without that
 * mapping readers take the values for names of schemas. The check of requests needs none, and does not take it. It also names
 * the server. Pure.
 */
import { type Json, resolve, toJson } from './openapi-reference.ts';

/** `url`: what callers know the server by; without it the documents are relative to where they were read. */
export function toServedDocument(root: Json, url = '/'): Json {
  const components = toJson(root.components ?? {}, 'components');
  const schemas = Object.entries(toJson(components.schemas ?? {}, 'schemas'));
  const served = schemas.map(([name, schema]) => [name, withMapping(root, toJson(schema, name), name)] as const);
  return { ...root, servers: [{ url }], components: { ...components, schemas: Object.fromEntries(served) } };
}

function withMapping(root: Json, schema: Json, name: string): Json {
  if (schema.discriminator === undefined || !Array.isArray(schema.oneOf)) return schema;
  const discriminator = toJson(schema.discriminator, name);
  const mapping = schema.oneOf.map((choice): readonly [string, string] => {
    const [resolved, pointer] = resolve(root, choice, name);
    const members = toJson(resolved.properties ?? {}, pointer);
    const { const: value } = toJson(members[String(discriminator.propertyName)], pointer);
    return [String(value), `#${pointer}`];
  });
  return { ...schema, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
}
