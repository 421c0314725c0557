import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';
import { resolverMap, typeOf } from '../../../../api/journey-planner/resolvers/resolver-map.ts';
import { fieldsWithoutResolver, loadSchema } from '../../../../api/journey-planner/schema/load-schema.ts';

const surface = resolve(process.env.SHARED_DIR ?? '../shared', 'journey-planner/surface.tsv');
const schemas = { v2: loadSchema('v2', resolverMap, typeOf), v3: loadSchema('v3', resolverMap, typeOf) };

interface Row {
  readonly dialect: 'v2' | 'v3';
  readonly type: string;
  readonly kind: string;
  readonly field: string;
  readonly args: string;
  readonly returns: string;
  readonly deprecated: boolean;
  readonly priority: string;
}

function readSurface(): readonly Row[] {
  return readFileSync(surface, 'utf8')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const [dialect = '', type = '', kind = '', field = '', args = '', returns = '', deprecated = '', priority = ''] =
        line.split('\t');
      return {
        dialect: dialect as 'v2' | 'v3',
        type,
        kind,
        field,
        args,
        returns,
        deprecated: deprecated === 'yes',
        priority,
      };
    });
}

/** The declaration of one row of the surface in the schema, in the form of the row; undefined without one. */
function declared(schema: GraphQLSchema, row: Row): Partial<Row> | undefined {
  const type = schema.getType(row.type);
  if (!type) return undefined;
  if (row.kind === 'scalar') return isScalarType(type) ? {} : undefined;
  if (row.kind === 'enum')
    return isEnumType(type)
      ? {
          args: sorted(
            type.getValues().map(({ name }) => name),
            '|',
          ),
        }
      : undefined;
  if (row.kind === 'union')
    return isUnionType(type)
      ? {
          args: sorted(
            type.getTypes().map(({ name }) => name),
            '|',
          ),
        }
      : undefined;
  if (row.kind === 'input') {
    const field = isInputObjectType(type) ? type.getFields()[row.field] : undefined;
    return (
      field && {
        args: defaultOf(field),
        returns: String(field.type),
        deprecated: field.deprecationReason !== undefined,
      }
    );
  }
  if (row.kind === 'root-arg') return declaredArgument(type, row);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[row.field] : undefined;
  if (!field) return undefined;
  return {
    args: sorted(field.args.map(argumentText), '; '),
    returns: String(field.type),
    deprecated: field.deprecationReason !== undefined,
  };
}

function declaredArgument(type: GraphQLNamedType, row: Row): Partial<Row> | undefined {
  const [, fieldName = '', name] = /^(\w+)\((\w+)\)$/.exec(row.field) ?? [];
  const argument = isObjectType(type)
    ? type.getFields()[fieldName]?.args.find((item) => item.name === name)
    : undefined;
  return (
    argument && {
      args: defaultOf(argument),
      returns: String(argument.type),
      deprecated: argument.deprecationReason !== undefined,
    }
  );
}

function argumentText(argument: GraphQLArgument): string {
  const { defaultValue } = argument;
  return `${argument.name}:${String(argument.type)}${defaultValue === undefined ? '' : `=${canonical(defaultValue)}`}`;
}

function defaultOf({ defaultValue }: GraphQLArgument | GraphQLInputField): string {
  return defaultValue === undefined ? '' : `default ${canonical(defaultValue)}`;
}

/** JSON with sorted keys; scalars parse durations to seconds. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

const sorted = (items: readonly string[], by: string): string => [...items].sort().join(by);

/** The row in the form that `declared` returns. */
function expected(row: Row): Partial<Row> {
  if (row.kind === 'scalar') return {};
  if (row.kind === 'enum' || row.kind === 'union') return { args: sorted(row.args.split('|'), '|') };
  const { returns, deprecated } = row;
  if (row.kind === 'input' || row.kind === 'root-arg') return { args: inSeconds(row.args), returns, deprecated };
  return { args: sorted(splitArguments(row.args), '; '), returns, deprecated };
}

/** In the schema, durations and costs have defaults in seconds. */
function inSeconds(text: string): string {
  const seconds: Readonly<Record<string, number>> = { '"PT1H"': 3_600, '"PT5M"': 300, '"PT0S"': 0, '"0s"': 0 };
  const value = text.replace(/^default /, '');
  return value in seconds ? `default ${seconds[value]}` : text;
}

/** Splits at `; ` outside brackets and texts. */
function splitArguments(text: string): readonly string[] {
  return text === '' ? [] : text.split(/; (?=\w+:)/);
}

describe('the GraphQL schemas', () => {
  if (!existsSync(surface)) {
    it.skip('are compared with the surface: SHARED_DIR names its folder');
  } else {
    for (const dialect of ['v2', 'v3'] as const) {
      it(`have every type, field, argument, default and value of ${dialect}`, () => {
        const rows = readSurface().filter((row) => row.dialect === dialect);
        const differences = rows.flatMap((row) => {
          const found = declared(schemas[dialect], row);
          const wanted = expected(row);
          const name = `${row.kind} ${row.type}.${row.field}`;
          if (!found) return [`${name} is missing`];
          return JSON.stringify(found) === JSON.stringify(wanted)
            ? []
            : [`${name}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`];
        });
        assert.deepEqual(differences, []);
        assert.ok(rows.length > 500, `only ${rows.length} rows`);
      });

      it(`describe the types and the required members of ${dialect}`, () => {
        const bare = readSurface().flatMap((row) => {
          const type = schemas[dialect].getType(row.type);
          if (row.dialect !== dialect || !type || row.kind === 'root-arg') return [];
          if (!type.description) return [row.type];
          if (row.priority === 'later' || row.field === '') return [];
          const fields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields() : {};
          return fields[row.field]?.description ? [] : [`${row.type}.${row.field}`];
        });
        assert.deepEqual(bare, []);
      });
    }
  }

  for (const dialect of ['v2', 'v3'] as const) {
    it(`have a resolver for every field of ${dialect} that a timetable can answer`, () => {
      assert.deepEqual(fieldsWithoutResolver(schemas[dialect]), []);
    });
  }
});
