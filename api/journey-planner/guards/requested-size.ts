/**
 * Finds how many items a field requests by its arguments, literals or variables. The functions are pure. Caller:
 * `query-cost.ts`.
 */
import { type ArgumentNode, type FieldNode, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

/** Arguments that state a number of items. For a list argument, its length counts. */
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

/** Default sizes of these fields. */
const DEFAULT_SIZES: Readonly<Record<string, number>> = { estimatedCalls: 5, nearest: 20, trip: 50, viaTrip: 50 };

export interface RequestedSize {
  /** At least 1, so that an empty list does not make its fields free. */
  readonly size: number;
  /** The argument that states the size. */
  readonly argument: string | undefined;
}

/** Returns the largest requested size. */
export function requestedSize(field: FieldNode, variables: Variables): RequestedSize {
  let size: number | undefined;
  let name: string | undefined;
  for (const argument of field.arguments ?? []) {
    if (!SIZES.has(argument.name.value)) continue;
    const requested = argumentSize(argument, variables);
    if (requested === undefined || requested <= (size ?? 0)) continue;
    size = requested;
    name = argument.name.value;
  }
  return { size: Math.max(1, size ?? DEFAULT_SIZES[field.name.value] ?? 1), argument: name };
}

/** Returns the caller's variables, and the defaults of the absent ones if they are sizes. */
export function variablesOf(operation: OperationDefinitionNode, variables: Variables): Variables {
  const values: Record<string, unknown> = { ...variables };
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue && !Object.hasOwn(values, variable.name.value)) {
      values[variable.name.value] = literalSize(defaultValue);
    }
  }
  return values;
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
