/**
 * Estimates how many items the lists below a list will have, before any of them is made. The estimate is its items
 * times the mean lengths of the selected lists. So an answer far beyond the limit is refused at its first list.
 *
 * The estimate is a mean. Nested means tend to be too low, so the caller allows more than the limit. It runs for every
 * list of an answer.
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
import type { Below } from './item-budget.ts';
import { isBoard, isMeasured, meanBoard, meanLength } from './list-lengths.ts';

const DEFAULT_DEPARTURES = 5;
/** With one of these arguments a board may have any number of calls, so the estimate is zero. */
const NARROWING: ReadonlySet<string> = new Set([
  'filters',
  'numberOfDeparturesPerLineAndDestinationDisplay',
  'timeRange',
  'whiteListed',
  'whiteListedModes',
]);

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'returnType' | 'schema' | 'variableValues'>;

/** Fields that count as more than one, because of the bytes they add to an answer. */
const WEIGHTS: Readonly<Record<string, number>> = { 'PointsOnLink.points': 25 };

const NOTHING: Below = { items: 0, fields: 0 };
/**
 * Fields without lists of any length below them, which are most. They cost one lookup here. Documents are kept, so the
 * same nodes return.
 */
const light = new WeakMap<FieldNode, Below>();

/** Returns the estimate per item of this field's list. */
export function expectedBelow(info: Info, context: RequestContext): Below {
  const [node] = info.fieldNodes;
  if (!node) return NOTHING;
  const known = light.get(node) ?? context.budget.expected.get(node);
  if (known !== undefined) return known;
  const walk = new Walk(info, context);
  const items = walk.items(
    info.fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    getNamedType(info.returnType),
  );
  const below = { items, fields: walk.fields };
  if (walk.hasMet) context.budget.expected.set(node, below);
  else light.set(node, below);
  return below;
}

class Walk {
  readonly #info: Info;
  readonly #context: RequestContext;
  /** Whether some list below has a length, even if this request skips it. */
  hasMet = false;
  fields = 0;
  #listsAround = 0;

  constructor(info: Info, context: RequestContext) {
    this.#info = info;
    this.#context = context;
  }

  /** Returns the estimate for one object of the type. */
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
    const name = `${parent.name}.${node.name.value}`;
    if (this.#listsAround === 0) this.fields += WEIGHTS[name] ?? 1;
    const field = parent.getFields()[node.name.value];
    if (!field) return 0;
    const isList = isListType(getNullableType(field.type));
    if (isMeasured(name)) this.hasMet = true;
    if (isList) this.#listsAround += 1;
    const below = this.items(
      nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
      getNamedType(field.type),
    );
    if (isList) this.#listsAround -= 1;
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
    const requested =
      value?.kind === Kind.VARIABLE
        ? this.#info.variableValues[value.name.value]
        : value?.kind === Kind.INT
          ? Number(value.value)
          : undefined;
    return typeof requested === 'number' ? requested : DEFAULT_DEPARTURES;
  }

  /**
   * Groups fields by their name in the answer, with fragments expanded. The fields that a fragment adds to an interface
   * count too.
   */
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
    // Another request may include this selection, so the result of this walk is not general.
    this.hasMet = true;
    const { variableValues } = this.#info;
    return (
      getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.if === true ||
      getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.if === false
    );
  }
}
