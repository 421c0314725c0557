/**
 * Computes the cost of a query: each field costs 1, times the requested sizes of the lists around it. A list whose size
 * is not in the request counts once here. Its items count while the answer is made (`item-budget.ts`). It runs once per
 * request and needs no schema.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from './check-document.ts';
import type { GraphqlLimits } from './limits.ts';
import { limitExceeded, type RefusedAt } from './refusal.ts';
import { requestedSize, type Variables, variablesOf } from './requested-size.ts';

/**
 * Mean sizes of introspection lists in our schemas, and how often a type wraps another. No budget counts these lists. A
 * single type may be far larger than the mean.
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

/**
 * Introspection runs in one stretch, without turns. The limit allows twice the queries of known tools, which then take
 * some 50 ms.
 */
const INTROSPECTION_FIELD_COST = 3;

export interface CostOfQuery {
  /** Checks the named operation, and refuses it if it exceeds the limit. */
  check(operationName: string | undefined, variables: Variables): void;
}

export function costOf(document: DocumentNode, limits: GraphqlLimits): CostOfQuery {
  const fragments = fragmentsOf(document);
  return {
    check(operationName, variables) {
      const operation = getOperationAST(document, operationName);
      if (!operation) return;
      const cost = new OperationCost(operation, fragments, variables);
      const maximum = limits.GRAPHQL_MAX_COST;
      if (cost.total() <= maximum) return;
      throw limitExceeded('cost', maximum, 'cost of the query (fields times sizes of lists)', cost.costliest());
    },
  };
}

class OperationCost {
  readonly #root: SelectionSetNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Variables;
  readonly #byFragment = new Map<string, number>();

  constructor(
    operation: OperationDefinitionNode,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    variables: Variables,
  ) {
    this.#root = operation.selectionSet;
    this.#fragments = fragments;
    this.#variables = variablesOf(operation, variables);
  }

  total(): number {
    return this.#ofSet(this.#root, false);
  }

  /** Returns the path of the most expensive fields, down to the one with the most items. */
  costliest(): RefusedAt {
    const names: string[] = [];
    let most = 0;
    let found: RefusedAt = { field: '' };
    let within = false;
    let set: SelectionSetNode | undefined = this.#root;
    while (set) {
      const dearest = this.#dearestOf(set, within);
      if (!dearest) break;
      names.push((dearest.alias ?? dearest.name).value);
      within ||= isIntrospective(dearest.name.value);
      const { size, argument } = requestedSize(dearest, this.#variables);
      if (size > most) {
        most = size;
        found = { field: names.join('.'), argument };
      }
      set = dearest.selectionSet;
    }
    return found;
  }

  #dearestOf(set: SelectionSetNode, isIntrospection: boolean): FieldNode | undefined {
    let dearest: FieldNode | undefined;
    let most = 0;
    for (const field of this.#fieldsOf(set)) {
      const cost = this.#ofField(field, isIntrospection);
      if (cost > most) [dearest, most] = [field, cost];
    }
    return dearest;
  }

  #fieldsOf({ selections }: SelectionSetNode): readonly FieldNode[] {
    return selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return this.#fieldsOf(selection.selectionSet);
      const fragment = this.#fragments.get(selection.name.value);
      return fragment ? this.#fieldsOf(fragment.selectionSet) : [];
    });
  }

  #ofField(field: FieldNode, isWithinIntrospection: boolean): number {
    const isIntrospection = isWithinIntrospection || isIntrospective(field.name.value);
    const own = isIntrospection ? INTROSPECTION_FIELD_COST : 1;
    if (!field.selectionSet) return own;
    const size = isIntrospection
      ? (INTROSPECTION_SIZES[field.name.value] ?? 1)
      : requestedSize(field, this.#variables).size;
    return own + size * this.#ofSet(field.selectionSet, isIntrospection);
  }

  #ofSet({ selections }: SelectionSetNode, isIntrospection: boolean): number {
    let cost = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) cost += this.#ofField(selection, isIntrospection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) cost += this.#ofSet(selection.selectionSet, isIntrospection);
      else cost += this.#ofFragment(selection.name.value);
    }
    return cost;
  }

  #ofFragment(name: string): number {
    let cost = this.#byFragment.get(name);
    if (cost === undefined) {
      const fragment = this.#fragments.get(name);
      cost = fragment ? this.#ofSet(fragment.selectionSet, isIntrospective(fragment.typeCondition.name.value)) : 0;
      this.#byFragment.set(name, cost);
    }
    return cost;
  }
}

/** Whether the name of a field or type belongs to introspection. */
function isIntrospective(name: string): boolean {
  return name.startsWith('__');
}
