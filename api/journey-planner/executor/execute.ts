/**
 * Runs a validated query. A document seen for the first time is interpreted by graphql-js, some always (`only-interpreted.ts`). One seen again is
 * compiled and kept as long as Apollo keeps the document: for the usual case as a `SyncQuery`, for what that one leaves by graphql-jit.
 * All three give the same answers. Called by `answer.ts` alone.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { TripPlanner } from '../../../planner/trip/trip-types.ts';
import { ItemBudget } from '../guards/item-budget.ts';
import type { GraphqlLimits } from '../guards/limits.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { isOnlyInterpreted } from './only-interpreted.ts';
import type { Variables } from './ready-values.ts';
import { compileSyncQuery, type SyncQuery } from './sync-query.ts';
import { TimeSlices } from './time-slices.ts';

export interface Question {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** As many as graphql-js says at once. */
const MOST_ERRORS = 50;

/** Runs without being awaited. */
const SEARCHES_NOT: TripPlanner = { trip: () => new Promise(() => {}) };

type Answer = ExecutionResult | Promise<ExecutionResult>;

interface Compiled {
  /** Undefined: there is none, or it waits for something whenever it is tried. */
  sync: SyncQuery | undefined;
  /** Compiled when it is needed. */
  jit: CompiledQuery | 'interpreted' | undefined;
}

export class QueryExecutor {
  readonly #schema: GraphQLSchema;
  readonly #limits: GraphqlLimits;
  readonly #compiled = new WeakMap<OperationDefinitionNode, Compiled | 'seen' | 'interpreted'>();

  constructor(schema: GraphQLSchema, limits: GraphqlLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  execute(question: Question, context: RequestContext): Answer {
    const compiled = this.#compiledFor(question);
    if (!compiled) return this.#interpret(question, context);
    const { operation, variables = {} } = question;
    // Compiled code has other words for variables that do not fit, and knows nothing of what our scalars say.
    const definitions = operation.variableDefinitions ?? [];
    const { errors, coerced } = getVariableValues(this.#schema, definitions, variables, { maxErrors: MOST_ERRORS });
    if (errors) return { errors };
    return this.#tryAtOnce(compiled, coerced, context) ?? this.#run(question, compiled, context);
  }

  /** An abandoned attempt does not count against budget and time. It starts no search. */
  #tryAtOnce(compiled: Compiled, variables: Variables, context: RequestContext): ExecutionResult | undefined {
    if (!compiled.sync) return undefined;
    const slices = new TimeSlices(this.#limits.GRAPHQL_SLICE_MS);
    const budget = new ItemBudget(this.#limits);
    const attempt = { ...context, budget, slices, planner: SEARCHES_NOT, extensions: {} };
    const result = compiled.sync.execute(attempt, variables);
    slices.stop();
    // A long answer waits for its turn; anything else will be waited for the next time too.
    if (result === 'waits' && !slices.isOver()) compiled.sync = undefined;
    if (result === 'waits' || !result) return undefined;
    Object.assign(context.extensions, attempt.extensions);
    return result;
  }

  #run(question: Question, compiled: Compiled, context: RequestContext): Answer {
    const { document, operation, variables } = question;
    if (compiled.jit === undefined) {
      const query = compileQuery(this.#schema, document, operation.name?.value ?? '');
      compiled.jit = isCompiledQuery(query) ? query : 'interpreted';
    }
    if (compiled.jit === 'interpreted') return this.#interpret(question, context);
    return compiled.jit.query(undefined, context, variables ?? {}) as Answer;
  }

  #interpret({ document, operation, variables }: Question, contextValue: RequestContext): Answer {
    const operationName = operation.name?.value;
    return execute({
      schema: this.#schema,
      document,
      operationName,
      variableValues: variables,
      contextValue,
    }) as Answer;
  }

  #compiledFor({ document, operation }: Question): Compiled | undefined {
    const known = this.#compiled.get(operation);
    if (known === undefined) {
      this.#compiled.set(operation, isOnlyInterpreted(document, operation) ? 'interpreted' : 'seen');
      return undefined;
    }
    if (known === 'interpreted') return undefined;
    if (known !== 'seen') return known;
    const compiled = { sync: compileSyncQuery(this.#schema, document, operation), jit: undefined };
    this.#compiled.set(operation, compiled);
    return compiled;
  }
}
