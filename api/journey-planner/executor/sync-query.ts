/**
 * A query as a tree of functions that make its answer synchronously: no promise, no closure, and no object but those of
 * the answer. Code compiled by graphql-jit makes some fifteen objects per field, more than half of a board request's
 * garbage.
 *
 * It handles the usual case alone. A promise, an error or a forbidden null ends the attempt, and the caller executes
 * the query by other means. Resolvers only read, so the attempt leaves no effect. Queries with directives are never
 * tried. Caller: `execute.ts`.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { RequestContext } from '../resolvers/request-context.ts';
import {
  type Complete,
  LEAVE,
  leafOf,
  leave,
  listOf,
  propertyOf,
  type Run,
  readyMade,
  type Variables,
  WAITS,
} from './ready-values.ts';
import { type Fragments, selectedFields } from './selected-fields.ts';

type Read = (source: unknown, run: Run) => unknown;

const NO_ARGUMENTS = Object.freeze({});

export function compileSyncQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): SyncQuery | undefined {
  const type = schema.getQueryType();
  if (!type) return undefined;
  try {
    return new SyncQuery(schema, document, operation, type);
  } catch (error) {
    if (error === LEAVE) return undefined;
    throw error;
  }
}

export class SyncQuery {
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: Fragments;
  readonly #answer: Complete;
  #fields = 0;

  /** Throws LEAVE for a query that has no synchronous form. */
  constructor(
    schema: GraphQLSchema,
    { definitions }: DocumentNode,
    operation: OperationDefinitionNode,
    type: GraphQLObjectType,
  ) {
    this.#schema = schema;
    this.#operation = operation;
    this.#fragments = new Map(
      definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
    );
    this.#answer = this.#object(type, [{ selectionSet: operation.selectionSet }]);
  }

  /** Undefined if the attempt ended; `waits` if a value waits. `context` must belong to this attempt alone. */
  execute(context: RequestContext, variables: Variables): ExecutionResult | 'waits' | undefined {
    const run = { context, variables, args: new Array(this.#fields).fill(undefined) };
    try {
      return { data: this.#answer(undefined, run) as Record<string, unknown> };
    } catch (error) {
      return error === WAITS ? 'waits' : undefined;
    }
  }

  #object(type: GraphQLObjectType, nodes: readonly Pick<FieldNode, 'selectionSet'>[]): Complete {
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const selected = selectedFields(sets, type, this.#schema, this.#fragments);
    if (!selected || selected.has('__proto__')) throw LEAVE;
    const names = [...selected.keys()];
    const reads = [...selected.values()].map((fieldNodes) => this.#field(type, fieldNodes));
    return (source, run) => {
      const made: Record<string, unknown> = {};
      for (let at = 0; at < names.length; at += 1) made[names[at] as string] = (reads[at] as Read)(source, run);
      return made;
    };
  }

  #field(parent: GraphQLObjectType, nodes: readonly FieldNode[]): Read {
    const [node] = nodes;
    const name = node?.name.value ?? '';
    if (name === '__typename') return () => parent.name;
    const field = parent.getFields()[name];
    // Introspection fields have no definition here.
    if (!node || !field) throw LEAVE;
    const { resolve = propertyOf(name) } = field;
    const complete = this.#complete(field.type, nodes);
    const at = this.#fields++;
    const hasArguments = field.args.length > 0;
    const argumentsIn = (run: Run): unknown => {
      run.args[at] ??= getArgumentValues(field, node, run.variables);
      return run.args[at];
    };
    const info = this.#infoOf(parent, field, nodes);
    return (source, run) => {
      const args = (hasArguments ? argumentsIn(run) : NO_ARGUMENTS) as never;
      return complete(resolve(source, args, run.context, info(run)), run);
    };
  }

  /**
   * Only resolvers of lists read the info. A resolver that misses it fails, and the query is executed by other means.
   * The path is omitted: it differs with each item, and only errors need it, which end the attempt.
   */
  #infoOf(
    parentType: GraphQLObjectType,
    { name: fieldName, type: returnType }: GraphQLField<unknown, unknown>,
    fieldNodes: readonly FieldNode[],
  ): (run: Run) => GraphQLResolveInfo {
    if (!isListType(getNullableType(returnType))) return () => undefined as never;
    const [schema, operation, fragments] = [this.#schema, this.#operation, Object.fromEntries(this.#fragments)];
    const always = { fieldName, fieldNodes, returnType, parentType, fragments, schema, operation };
    return ({ variables }) => ({
      ...always,
      rootValue: undefined,
      path: undefined as never,
      variableValues: variables,
    });
  }

  #complete(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    if (isNonNullType(type)) {
      const complete = this.#present(type.ofType, nodes);
      return (value, run) => complete(value ?? leave(), run);
    }
    const complete = this.#present(type, nodes);
    return (value, run) => (value === null || value === undefined ? null : complete(value, run));
  }

  /** Turns a value that is not null into its part of the answer, which is never null. */
  #present(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    if (isLeafType(type)) return leafOf(type);
    if (isListType(type)) return listOf(this.#complete(type.ofType, nodes));
    if (isAbstractType(type)) return this.#abstract(type, nodes);
    if (!isObjectType(type)) throw LEAVE;
    const object = this.#object(type, nodes);
    return (value, run) => object(readyMade(value), run);
  }

  /** Each type is compiled at its first occurrence. */
  #abstract(type: GraphQLAbstractType, nodes: readonly FieldNode[]): Complete {
    const objects = new Map<string, Complete>();
    const compile = (name: string): Complete => {
      const found = this.#schema.getType(name);
      if (!isObjectType(found) || !this.#schema.isSubType(type, found)) leave();
      const object = this.#object(found, nodes);
      objects.set(name, object);
      return object;
    };
    return (value, run) => {
      const source = readyMade(value);
      const name = type.resolveType?.(source, run.context, undefined as never, type);
      if (typeof name !== 'string') leave();
      return (objects.get(name) ?? compile(name))(source, run);
    };
  }
}
