/**
 * Bounds introspection (`__schema`, `__type`): aliases, fields with expanded fragments, and depth. The other guards
 * exclude introspection from the depth, because every tool queries it deeply. `check-document.ts` calls it after its
 * own checks, which bound this walk.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { GraphqlLimits } from './limits.ts';
import { limitExceeded } from './refusal.ts';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

const ROOTS: ReadonlySet<string> = new Set(['__schema', '__type']);

export function checkIntrospection(
  { selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
  limits: GraphqlLimits,
): void {
  let fields = 0;
  let aliases = 0;
  const check = (field: FieldNode, depth: number): void => {
    fields += 1;
    if (field.alias) aliases += 1;
    refuseAbove(limits.GRAPHQL_MAX_INTROSPECTION_FIELDS, fields, 'introspectionFields', 'fields');
    refuseAbove(limits.GRAPHQL_MAX_INTROSPECTION_ALIASES, aliases, 'introspectionAliases', 'aliases');
    refuseAbove(limits.GRAPHQL_MAX_INTROSPECTION_DEPTH, depth, 'introspectionDepth', 'levels');
    if (field.selectionSet) for (const below of fieldsOf(field.selectionSet, fragments)) check(below, depth + 1);
  };
  for (const field of fieldsOf(selectionSet, fragments)) if (ROOTS.has(field.name.value)) check(field, 1);
}

function refuseAbove(maximum: number, found: number, limit: string, what: string): void {
  if (found > maximum) throw limitExceeded(limit, maximum, `number of ${what} of introspection`);
}

/** Yields the fields of a selection with fragments expanded. */
export function* fieldsOf(
  { selections }: SelectionSetNode,
  fragments: Fragments,
): Generator<FieldNode, void, undefined> {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      yield selection;
      continue;
    }
    const set =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments.get(selection.name.value)?.selectionSet;
    if (set) yield* fieldsOf(set, fragments);
  }
}
