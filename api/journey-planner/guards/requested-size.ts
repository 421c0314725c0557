/** How many things a field asks for by its arguments, literals or variables. Called by `query-cost.ts`. Pure. */
import { type ArgumentNode, type FieldNode, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';

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

/** Default sizes of these fields. */
const DEFAULT_SIZES: Readonly<Record<string, number>> = { estimatedCalls: 5, nearest: 20, trip: 50, viaTrip: 50 };

export interface RequestedSize {
  /** At least 1, so that an empty list does not make its fields free. */
  readonly size: number;
  /** The one that asks for it. */
  readonly argument: string | undefined;
}

/** The largest asked for. */
export function requestedSize(field: FieldNode, variables: Variables): RequestedSize {
  let size: number | undefined;
  let name: string | undefined;
  for (const argument of field.arguments ?? []) {
    if (!SIZES.has(argument.name.value)) continue;
    const asked = argumentSize(argument, variables);
    if (asked === undefined || asked <= (size ?? 0)) continue;
    size = asked;
    name = argument.name.value;
  }
  return { size: Math.max(1, size ?? DEFAULT_SIZES[field.name.value] ?? 1), argument: name };
}

/** The caller's, and the defaults of those left out as far as they are sizes. */
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
