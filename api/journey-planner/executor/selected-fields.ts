/**
 * Lists the fields of a selection on a type by their names in the answer, in its order, with fragments expanded. It
 * does not handle directives. `sync-query.ts` calls it when it compiles.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Undefined if the selection has directives. */
export function selectedFields(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  schema: GraphQLSchema,
  fragments: Fragments,
): ReadonlyMap<string, readonly FieldNode[]> | undefined {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.directives?.length) return false;
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const nodes = fields.get(name);
        if (nodes) nodes.push(selection);
        else fields.set(name, [selection]);
        return true;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (spread.has(selection.name.value)) return true;
        spread.add(selection.name.value);
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!fragment || fragment.directives?.length) return false;
      const condition = fragment.typeCondition?.name.value ?? type.name;
      return isOf(condition, type, schema) ? collect(fragment.selectionSet) : true;
    });
  return sets.every(collect) ? fields : undefined;
}

function isOf(name: string, type: GraphQLObjectType, schema: GraphQLSchema): boolean {
  if (name === type.name) return true;
  const condition = schema.getType(name);
  return isAbstractType(condition) && schema.isSubType(condition, type);
}
