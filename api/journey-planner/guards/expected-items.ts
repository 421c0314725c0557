/**
 * How many items the lists below a list will have, before any of them is made: its items times the mean lengths of what is selected
 * below. So an answer that would grow far beyond the limit is refused at its first list. A mean, not a promise: walks along means
 * are rather too short than too long, and whoever asks leaves room above the limit. Called for every list of an answer.
 */
import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { RequestContext } from '../resolvers/request-context.ts';
import { isBoard, isMeasured, meanBoard, meanLength } from './list-lengths.ts';

const DEFAULT_DEPARTURES = 5;
/** With one of these a board may have any number of calls: it counts as empty. */
const NARROWING: ReadonlySet<string> = new Set([
  'filters',
  'numberOfDeparturesPerLineAndDestinationDisplay',
  'timeRange',
  'whiteListed',
  'whiteListedModes',
]);

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'returnType' | 'schema' | 'variableValues'>;

/** Lists with nothing of any length below them: most. They cost a look here. Documents are kept, so the same nodes come again. */
const light = new WeakSet<FieldNode>();

/** Per item of the list that the field is. */
export function expectedBelow(info: Info, context: RequestContext): number {
  const [node] = info.fieldNodes;
  if (!node || light.has(node)) return 0;
  const known = context.budget.expected.get(node);
  if (known !== undefined) return known;
  const walk = new Walk(info, context);
  const items = walk.items(
    info.fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    getNamedType(info.returnType),
  );
  if (walk.hasMet) context.budget.expected.set(node, items);
  else light.add(node);
  return items;
}

class Walk {
  readonly #info: Info;
  readonly #context: RequestContext;
  /** Whether there is a list of some length, be it skipped this time. */
  hasMet = false;

  constructor(info: Info, context: RequestContext) {
    this.#info = info;
    this.#context = context;
  }

  /** Of one thing of the type. */
  items(sets: readonly SelectionSetNode[], type: GraphQLNamedType): number {
    if (!isObjectType(type) && !isInterfaceType(type)) return 0;
    const groups = new Map<string, { readonly type: GraphQLNamedType; readonly nodes: FieldNode[] }>();
    for (const set of sets) this.#collect(set, type, groups);
    let items = 0;
    for (const { type: parent, nodes } of groups.values()) items += this.#field(nodes, parent);
    return items;
  }

  #field(nodes: readonly FieldNode[], parent: GraphQLNamedType): number {
    const [node] = nodes;
    if (!node || !(isObjectType(parent) || isInterfaceType(parent))) return 0;
    const field = parent.getFields()[node.name.value];
    if (!field) return 0;
    const name = `${parent.name}.${field.name}`;
    const isList = isListType(getNullableType(field.type));
    if (isMeasured(name)) this.hasMet = true;
    const below = this.items(
      nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
      getNamedType(field.type),
    );
    if (!isList) return isMeasured(name) ? this.#length(name, node) * below : below;
    return this.#length(name, node) * (1 + below);
  }

  #length(name: string, node: FieldNode): number {
    const { timetable, now } = this.#context;
    return isBoard(name) ? meanBoard(name, this.#departures(node), timetable, now) : meanLength(name, timetable);
  }

  #departures({ arguments: given = [] }: FieldNode): number {
    if (given.some(({ name }) => NARROWING.has(name.value))) return 0;
    const value = given.find(({ name }) => name.value === 'numberOfDepartures')?.value;
    const asked =
      value?.kind === Kind.VARIABLE
        ? this.#info.variableValues[value.name.value]
        : value?.kind === Kind.INT
          ? Number(value.value)
          : undefined;
    return typeof asked === 'number' ? asked : DEFAULT_DEPARTURES;
  }

  /** Fields by the name they have in the answer, fragments written out. What a fragment adds to an interface is counted. */
  #collect(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType,
    groups: Map<string, { readonly type: GraphQLNamedType; readonly nodes: FieldNode[] }>,
  ): void {
    for (const selection of selections) {
      if (this.#isLeftOut(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = `${type.name} ${(selection.alias ?? selection.name).value}`;
        const group = groups.get(key);
        if (group) group.nodes.push(selection);
        else groups.set(key, { type, nodes: [selection] });
        continue;
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#info.fragments[selection.name.value];
      if (!fragment) continue;
      const condition = fragment.typeCondition?.name.value ?? type.name;
      this.#collect(fragment.selectionSet, this.#info.schema.getType(condition) ?? type, groups);
    }
  }

  #isLeftOut(selection: SelectionNode): boolean {
    if (!selection.directives?.length) return false;
    // Another time it may be there: what is found now is not what always holds.
    this.hasMet = true;
    const { variableValues } = this.#info;
    return (
      getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.if === true ||
      getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.if === false
    );
  }
}
