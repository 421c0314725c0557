/**
 * Makes the executable schema of a dialect from the SDL file beside this one, scalars, resolvers and the types of
 * abstract values. Each router calls it once per dialect.
 */
import { readFileSync } from 'node:fs';
import {
  assertValidSchema,
  buildASTSchema,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  parse,
} from 'graphql';
import { expectedBelow } from '../guards/expected-items.ts';
import { ABSENT_TYPES } from '../resolvers/absent-types.ts';
import type { Fields, ResolverMap } from '../resolvers/fields.ts';
import type { Dialect, RequestContext } from '../resolvers/request-context.ts';
import { setEnumValues } from './enum-values.ts';
import { sliceIntrospection } from './introspection-slices.ts';
import { SCALARS } from './scalars.ts';

/** A list up to this length is made in one stretch. */
const SHORT_LIST = 4;

/** Types of which a single value may take a millisecond. */
const LONG_TYPES: ReadonlySet<string> = new Set(['PointsOnLink']);

export type TypeOf = (source: never) => string;

export function readSchemaText(dialect: Dialect): string {
  return readFileSync(new URL(`./${dialect}.graphql`, import.meta.url), 'utf8');
}

export function loadSchema(dialect: Dialect, resolvers: ResolverMap, typeOf: TypeOf): GraphQLSchema {
  sliceIntrospection();
  const schema = buildASTSchema(parse(readSchemaText(dialect), { noLocation: true }));
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isScalarType(type)) setScalar(type);
    if (isEnumType(type)) setEnumValues(type, dialect);
    if (isAbstractType(type)) type.resolveType = typeOf as (source: unknown) => string;
    if (!isObjectType(type)) continue;
    const fields = fieldsOf(resolvers, type.name, dialect);
    for (const field of Object.values(type.getFields())) {
      const resolve = fields[field.name];
      if (!resolve) continue;
      const resolver = resolve as unknown as GraphQLFieldResolver<unknown, RequestContext>;
      const made = isListType(getNullableType(field.type)) ? counted(resolver) : resolver;
      const isLong = type === schema.getQueryType() || LONG_TYPES.has(getNamedType(field.type).name);
      field.resolve = isLong ? queued(made) : made;
    }
  }
  parseDefaults(schema);
  assertValidSchema(schema);
  return schema;
}

/** Makes a field yield when the fields before took long. A field that runs first never yields. */
function queued(resolve: GraphQLFieldResolver<unknown, RequestContext>): GraphQLFieldResolver<unknown, RequestContext> {
  return (source, args, context, info) => {
    if (!context.slices.isOver()) return resolve(source, args, context, info);
    return context.slices.turn().then(() => {
      context.budget.checkTime();
      return resolve(source, args, context, info);
    });
  };
}

/**
 * Wraps the resolver of a list. It counts the items. Once the answer has taken a full stretch, items wait for their
 * turn.
 */
function counted(
  resolve: GraphQLFieldResolver<unknown, RequestContext>,
): GraphQLFieldResolver<unknown, RequestContext> {
  return (source, args, context, info) => {
    const items = resolve(source, args, context, info);
    return items instanceof Promise
      ? items.then((found) => inTurn(found, context, info))
      : inTurn(items, context, info);
  };
}

function inTurn(items: unknown, context: RequestContext, info: GraphQLResolveInfo): unknown {
  const { budget, slices } = context;
  if (!Array.isArray(items) || items.length === 0) return items;
  const below = expectedBelow(info, context);
  const path = () => pathOf(info);
  budget.take(items.length, path, items.length * below.items);
  budget.takeFields(items.length * below.fields, path);
  const shown = items.length > SHORT_LIST ? slices.inParts(items) : items;
  return slices.isOver() ? slices.turn().then(() => shown) : shown;
}

/** Joins the names alone, because the position in a list says nothing. */
function pathOf({ path }: GraphQLResolveInfo): string {
  const names: string[] = [];
  for (let at: typeof path | undefined = path; at; at = at.prev) if (typeof at.key === 'string') names.unshift(at.key);
  return names.join('.');
}

/**
 * Parses the defaults of arguments. They were read before the scalars were known, and resolvers must get them in parsed
 * form.
 */
function parseDefaults(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    const inputs = isInputObjectType(type)
      ? Object.values(type.getFields())
      : isObjectType(type)
        ? Object.values(type.getFields()).flatMap(({ args }) => args)
        : [];
    for (const input of inputs) {
      const scalar = getNullableType(input.type);
      if (isScalarType(scalar) && !isSpecifiedScalarType(scalar) && typeof input.defaultValue === 'string') {
        input.defaultValue = scalar.parseValue(input.defaultValue);
      }
    }
  }
}

/** Lists the fields (`Type.field`) without a resolver. Only types that no timetable contains may have such fields. */
export function fieldsWithoutResolver(schema: GraphQLSchema): readonly string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('__') || ABSENT_TYPES.has(type.name)) return [];
    return Object.values(type.getFields()).flatMap(({ name, resolve }) => (resolve ? [] : [`${type.name}.${name}`]));
  });
}

function setScalar(type: (typeof SCALARS)[number]): void {
  const made = SCALARS.find(({ name }) => name === type.name);
  if (!made) return;
  type.serialize = made.serialize;
  type.parseValue = made.parseValue;
  type.parseLiteral = made.parseLiteral;
}

/** Returns the fields of a type under the names of the dialect. */
function fieldsOf(resolvers: ResolverMap, typeName: string, dialect: Dialect): Fields<never> {
  const type = resolvers[typeName];
  if (!type) return {};
  const fields: Record<string, Fields<never>[string]> = { ...type.fields };
  if (dialect === 'v2') {
    for (const [name, shared] of Object.entries(type.v2Renames ?? {})) {
      const resolve = type.fields[shared];
      if (!resolve) throw new Error(`${typeName}.${name} is said to be ${shared}, which has no resolver`);
      fields[name] = resolve;
    }
  }
  return Object.assign(fields, dialect === 'v2' ? type.v2 : type.v3);
}
