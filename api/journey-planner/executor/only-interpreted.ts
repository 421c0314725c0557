/**
 * Finds operations that must not be compiled, because compiled code deviates from the specification:
 *
 * - introspection;
 * - variables named like members of every object (`$constructor` counts as given when it is not);
 * - fields answered as `__proto__`, which are lost;
 * - names that occur twice in one place, not always both, which change their order;
 * - directives with variables that may be null, which must be an error.
 *
 * Caller: `execute.ts`.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';
import { fragmentsOf } from '../guards/check-document.ts';

/** The definition of a name in one place. */
interface Named {
  readonly sets: SelectionSetNode[];
  times: number;
  isConditional: boolean;
}

/** The document has passed the guards, which bound this walk. */
export function isOnlyInterpreted(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  const { selectionSet, variableDefinitions = [] } = operation;
  if (variableDefinitions.some(({ variable }) => variable.name.value in Object.prototype)) return true;
  const isIntrospection = (selection: SelectionNode): boolean =>
    selection.kind === Kind.FIELD && ['__schema', '__type'].includes(selection.name.value);
  return (
    selectionSet.selections.some(isIntrospection) ||
    new Walk(fragmentsOf(document), variableDefinitions).isOddWithin([selectionSet])
  );
}

class Walk {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #nullable: ReadonlySet<string>;

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>, definitions: readonly VariableDefinitionNode[]) {
    this.#fragments = fragments;
    const nullable = definitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE);
    this.#nullable = new Set(nullable.map(({ variable }) => variable.name.value));
  }

  isOddWithin(sets: readonly SelectionSetNode[]): boolean {
    const named = new Map<string, Named>();
    if (sets.some((set) => this.#collect(set, false, named)) || named.has('__proto__')) return true;
    return [...named.values()].some(
      (each) => (each.times > 1 && each.isConditional) || (each.sets.length > 0 && this.isOddWithin(each.sets)),
    );
  }

  /** True if a directive may be null. */
  #collect({ selections }: SelectionSetNode, isWithinCondition: boolean, named: Map<string, Named>): boolean {
    return selections.some((selection) => {
      const { directives = [] } = selection;
      if (directives.some((directive) => this.#mayBeNull(directive))) return true;
      const isConditional = isWithinCondition || directives.length > 0;
      if (selection.kind !== Kind.FIELD) {
        const fragment =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value);
        return fragment !== undefined && this.#collect(fragment.selectionSet, isConditional, named);
      }
      const name = (selection.alias ?? selection.name).value;
      const known: Named = named.get(name) ?? { sets: [], times: 0, isConditional: false };
      named.set(name, known);
      known.times += 1;
      known.isConditional ||= isConditional;
      if (selection.selectionSet) known.sets.push(selection.selectionSet);
      return false;
    });
  }

  #mayBeNull({ arguments: given = [] }: DirectiveNode): boolean {
    return given.some(({ value }) => value.kind === Kind.VARIABLE && this.#nullable.has(value.name.value));
  }
}
