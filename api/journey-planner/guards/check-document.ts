/**
 * Checks the shape of a parsed query. It bounds the work of validation and compilation, which grows with the square of
 * repeated fields and with every use of a fragment. It needs no schema. It runs once per query text, after parsing.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { checkIntrospection } from './check-introspection.ts';
import type { GraphqlLimits } from './limits.ts';
import { badRequest, limitExceeded, type RefusedAt } from './refusal.ts';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function checkDocument(document: DocumentNode, limits: GraphqlLimits): void {
  if (document.definitions.length > limits.GRAPHQL_MAX_DEFINITIONS) {
    throw limitExceeded('definitions', limits.GRAPHQL_MAX_DEFINITIONS, 'number of operations and fragments');
  }
  checkText(document, limits);
  const fragments = fragmentsOf(document);
  refuseCycles(fragments);
  /** Counts the fields of all operations, because each is validated, whichever is asked for. */
  const counted = { fields: 0 };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION && definition.operation !== OperationTypeNode.QUERY) {
      throw badRequest(`There is no ${definition.operation} here: only queries are answered.`);
    }
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    checkOperation(definition, fragments, limits, counted);
    checkIntrospection(definition, fragments, limits);
  }
}

export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/** As it is written: validation looks at unused fragments, too. */
function checkText(document: DocumentNode, limits: GraphqlLimits): void {
  let directives = 0;
  let fields = 0;
  let variables = 0;
  visit(document, {
    [Kind.VARIABLE_DEFINITION]: () => {
      variables += 1;
    },
    [Kind.DIRECTIVE]: () => {
      directives += 1;
    },
    [Kind.FIELD]: () => {
      fields += 1;
    },
  });
  if (directives > limits.GRAPHQL_MAX_DIRECTIVES) {
    throw limitExceeded('directives', limits.GRAPHQL_MAX_DIRECTIVES, 'number of directives');
  }
  if (variables > limits.GRAPHQL_MAX_VARIABLES) {
    throw limitExceeded('variables', limits.GRAPHQL_MAX_VARIABLES, 'number of variables');
  }
  if (fields > limits.GRAPHQL_MAX_FIELDS) throw tooManyFields(limits);
}

function tooManyFields(limits: GraphqlLimits, at?: RefusedAt): GraphQLError {
  return limitExceeded('fields', limits.GRAPHQL_MAX_FIELDS, 'number of fields, fragments written out,', at);
}

/** A fragment that contains itself, directly or through others, would expand without end. */
function refuseCycles(fragments: Fragments): void {
  const states = new Map<string, 'open' | 'done'>();
  const enter = (name: string): void => {
    const fragment = fragments.get(name);
    if (!fragment || states.get(name) === 'done') return;
    if (states.get(name) === 'open') throw badRequest(`The fragment "${name.slice(0, 60)}" contains itself.`);
    states.set(name, 'open');
    for (const spread of spreadsOf(fragment.selectionSet)) enter(spread);
    states.set(name, 'done');
  };
  for (const name of fragments.keys()) enter(name);
}

function spreadsOf(set: SelectionSetNode): string[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection.name.value];
    return selection.selectionSet ? spreadsOf(selection.selectionSet) : [];
  });
}

/** Walks an operation as execution would: it expands fragments and merges fields of one name in one place. */
function checkOperation(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  limits: GraphqlLimits,
  counted: { fields: number },
): void {
  let aliases = 0;
  const path: string[] = [];
  const at = (name?: string) => ({ field: [...path, ...(name === undefined ? [] : [name])].join('.') });
  const walk = (sets: readonly SelectionSetNode[], depth: number, isCounted: boolean): void => {
    if (isCounted && depth > limits.GRAPHQL_MAX_DEPTH) {
      throw limitExceeded('depth', limits.GRAPHQL_MAX_DEPTH, 'depth of the query', at());
    }
    const groups = new Map<string, FieldNode[]>();
    const collect = (set: SelectionSetNode): void => {
      for (const selection of set.selections) {
        counted.fields += 1;
        if (counted.fields > limits.GRAPHQL_MAX_FIELDS) {
          throw tooManyFields(limits, at());
        }
        if (selection.kind !== Kind.FIELD) {
          const inner =
            selection.kind === Kind.INLINE_FRAGMENT
              ? selection.selectionSet
              : fragments.get(selection.name.value)?.selectionSet;
          if (inner) collect(inner);
          continue;
        }
        const name = (selection.alias ?? selection.name).value;
        if (selection.alias && ++aliases > limits.GRAPHQL_MAX_ALIASES) {
          throw limitExceeded('aliases', limits.GRAPHQL_MAX_ALIASES, 'number of aliases', at(name));
        }
        const group = groups.get(name);
        if (!group) groups.set(name, [selection]);
        else if (group.push(selection) > limits.GRAPHQL_MAX_REPEATED_FIELDS) {
          throw limitExceeded(
            'repeatedFields',
            limits.GRAPHQL_MAX_REPEATED_FIELDS,
            'number of repeated fields in one place',
            at(name),
          );
        }
      }
    };
    for (const set of sets) collect(set);
    for (const [name, group] of groups) {
      const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
      path.push(name);
      if (inner.length > 0) walk(inner, depth + 1, isCounted && !group[0]?.name.value.startsWith('__'));
      path.pop();
    }
  };
  walk([operation.selectionSet], 1, true);
}
