/**
 * What a query asks for: each field 1, times the requested sizes of the lists around it. Sizes stand in arguments, as literals
 * or variables. Lists whose size is not in the request count once here and by their items while the answer is made
 * (`item-budget.ts`). Called once per request; needs no schema.
 */
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { fragmentsOf } from './check-document.ts';
import type { GraphqlLimits } from './limits.ts';
import { limitExceeded } from './refusal.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** Arguments that say how many are wanted; of a list, its length. */
const SIZES: ReadonlySet<string> = new Set([
  'count',
  'first',
  'ids',
  'last',
  'maximumResults',
  'next',
  'numTripPatterns',
  'numberOfDepartures',
  'previous',
]);

/** What these fields give when no size is asked for. */
const DEFAULT_SIZES: Readonly<Record<string, number>> = { estimatedCalls: 5, nearest: 20, trip: 50, viaTrip: 50 };

/**
 * The same of introspection, whose lists no budget counts: about what our schemas have on average, and how often a type wraps
 * another. One type asked for by itself may be far larger than most.
 */
const INTROSPECTION_SIZES: Readonly<Record<string, number>> = {
  __type: 8,
  args: 1,
  enumValues: 3,
  fields: 6,
  inputFields: 3,
  ofType: 0.4,
  queryType: 8,
  types: 150,
};

/** Introspection is made in one stretch, without turns: what tools ask fits twice over and takes some 50 ms then. */
const INTROSPECTION_FIELD_COST = 3;

export interface CostOfQuery {
  /** Of the operation named; refuses what exceeds the limit. */
  check(operationName: string | undefined, variables: Variables): void;
}

export function costOf(document: DocumentNode, limits: GraphqlLimits): CostOfQuery {
  const fragments = fragmentsOf(document);
  const measure = (operation: OperationDefinitionNode, variables: Variables): number => {
    const known = defaultsOf(operation, variables);
    const byFragment = new Map<string, number>();
    const ofField = (field: FieldNode, isWithinIntrospection: boolean): number => {
      const isIntrospection = isWithinIntrospection || isIntrospective(field.name.value);
      const own = isIntrospection ? INTROSPECTION_FIELD_COST : 1;
      if (!field.selectionSet) return own;
      const size = isIntrospection ? (INTROSPECTION_SIZES[field.name.value] ?? 1) : sizeOf(field, known);
      return own + size * ofSet(field.selectionSet, isIntrospection);
    };
    const ofSet = (set: SelectionSetNode, isIntrospection: boolean): number => {
      let cost = 0;
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) cost += ofField(selection, isIntrospection);
        else if (selection.kind === Kind.INLINE_FRAGMENT) cost += ofSet(selection.selectionSet, isIntrospection);
        else cost += ofFragment(selection.name.value);
      }
      return cost;
    };
    const ofFragment = (name: string): number => {
      let cost = byFragment.get(name);
      if (cost === undefined) {
        const fragment = fragments.get(name);
        cost = fragment ? ofSet(fragment.selectionSet, isIntrospective(fragment.typeCondition.name.value)) : 0;
        byFragment.set(name, cost);
      }
      return cost;
    };
    return ofSet(operation.selectionSet, false);
  };
  return {
    check(operationName, variables) {
      const operation = getOperationAST(document, operationName);
      if (!operation || measure(operation, variables) <= limits.GRAPHQL_MAX_COST) return;
      throw limitExceeded('cost', limits.GRAPHQL_MAX_COST, 'cost of the query (fields times sizes of lists)');
    },
  };
}

function defaultsOf(operation: OperationDefinitionNode, variables: Variables): Variables {
  const values: Record<string, unknown> = { ...variables };
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue && !Object.hasOwn(values, variable.name.value))
      values[variable.name.value] = literalSize(defaultValue);
  }
  return values;
}

/** Of a field or a type. */
function isIntrospective(name: string): boolean {
  return name.startsWith('__');
}

/** The largest size asked for; at least 1, so that an empty list does not make its fields free. */
function sizeOf(field: FieldNode, variables: Variables): number {
  let size: number | undefined;
  for (const argument of field.arguments ?? []) {
    if (!SIZES.has(argument.name.value)) continue;
    const asked = argumentSize(argument, variables);
    if (asked !== undefined && !(asked <= (size ?? 0))) size = asked;
  }
  return Math.max(1, size ?? DEFAULT_SIZES[field.name.value] ?? 1);
}

function argumentSize({ value }: ArgumentNode, variables: Variables): number | undefined {
  return toSize(value.kind === Kind.VARIABLE ? variables[value.name.value] : literalSize(value));
}

function literalSize(value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.LIST ? value.values : undefined;
}

function toSize(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
