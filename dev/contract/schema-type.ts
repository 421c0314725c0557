/**
 * A JSON schema of a bundled document as a TypeScript type. Knows the keywords that our documents use; limits of values
 * leave no trace in a type. Called by contract-types.ts. Pure.
 */
import { type Json, resolve, toJson } from '../../api/shared/openapi-reference.ts';

const SCHEMA_REFERENCE = /^#\/components\/schemas\/([^/]+)$/;
/** A longer list is the codes of a standard: the document checks them, no code of ours tells them apart. */
const MAX_CHOICES = 20;
const ANY_JSON = ['object', 'array', 'string', 'number', 'boolean'];
const PLAIN_NAME = /^([A-Za-z_$][\w$]*|\d+)$/;

export class SchemaTypes {
  readonly #root: Json;
  /** Branded ids that the types name; the file imports them. */
  readonly identifiers = new Set<string>();

  constructor(root: Json) {
    this.#root = root;
  }

  typeOf(value: unknown): string {
    if (value === undefined) return 'unknown';
    const schema = toJson(value, 'schema');
    const { $ref: reference, const: constant, enum: values, 'x-identifier': identifier } = schema;
    if (typeof reference === 'string') return this.#named(reference);
    if (typeof identifier === 'string') {
      this.identifiers.add(identifier);
      return identifier;
    }
    if (constant !== undefined) return JSON.stringify(constant);
    if (Array.isArray(values) && values.length <= MAX_CHOICES)
      return values.map((each) => JSON.stringify(each)).join(' | ');
    for (const choices of [schema.anyOf, schema.oneOf]) if (Array.isArray(choices)) return this.#union(choices);
    if (schema.allOf !== undefined) return this.#objectType(this.#flat(schema));
    const basic = [schema.type ?? 'unknown'].flat();
    if (ANY_JSON.every((type) => basic.includes(type))) return 'unknown';
    return basic.map((type) => this.#basicType(String(type), schema)).join(' | ');
  }

  /** An object type of members; `isRequired` says which must be there. */
  membersType(members: readonly (readonly [name: string, type: string, isRequired: boolean])[]): string {
    const lines = members.map(
      ([name, type, isRequired]) =>
        `readonly ${PLAIN_NAME.test(name) ? name : JSON.stringify(name)}${isRequired ? '' : '?'}: ${type};`,
    );
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`;
  }

  #named(reference: string): string {
    const name = SCHEMA_REFERENCE.exec(reference)?.[1];
    if (name !== undefined) return `Schemas['${name}']`;
    return this.typeOf(resolve(this.#root, { $ref: reference }, reference)[0]);
  }

  #union(choices: readonly unknown[]): string {
    return choices.map((each) => this.typeOf(each)).join(' | ');
  }

  #basicType(type: string, schema: Json): string {
    switch (type) {
      case 'object':
        return this.#objectType(schema);
      case 'array':
        return `ReadonlyArray<${this.typeOf(schema.items)}>`;
      case 'integer':
        return 'number';
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
      case 'unknown':
        return type;
      default:
        throw new Error(`The schema type ${type} has no TypeScript type`);
    }
  }

  #objectType({ properties, additionalProperties, required }: Json): string {
    if (properties === undefined) {
      const value = typeof additionalProperties === 'object' ? this.typeOf(additionalProperties) : 'unknown';
      return `Readonly<Record<string, ${value}>>`;
    }
    const names: readonly unknown[] = Array.isArray(required) ? required : [];
    const members = Object.entries(toJson(properties, 'properties'));
    return this.membersType(members.map(([name, member]) => [name, this.typeOf(member), names.includes(name)]));
  }

  /** With the members of all its parts; where two have the same member, the later one says more. */
  #flat(given: unknown): Json {
    const [schema] = resolve(this.#root, given, 'schema');
    const parts = Array.isArray(schema.allOf) ? schema.allOf.map((part) => this.#flat(part)) : [];
    const all = [...parts, { ...schema, allOf: undefined }];
    return {
      properties: Object.assign({}, ...all.map(({ properties }) => properties ?? {})),
      required: all.flatMap(({ required }) => required ?? []),
    };
  }
}
