/**
 * Runs a validated query. graphql-js interprets a document on its first use, and some documents always
 * (`only-interpreted.ts`). A repeated document is compiled, and kept as long as Apollo keeps the document. The usual
 * case becomes a `SyncQuery`; graphql-jit compiles the rest. All three give the same answers. Caller: `answer.ts`.
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
import { isTooLongToCompile } from './long-operation.ts';
import { isOnlyInterpreted } from './only-interpreted.ts';
import type { Variables } from './ready-values.ts';
import { compileSyncQuery, type SyncQuery } from './sync-query.ts';
import { TimeSlices } from './time-slices.ts';

export interface Question {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** The maximum number of errors that graphql-js reports at once. */
const MOST_ERRORS = 50;

/** Starts no search and never answers. A synchronous attempt does not wait for it. */
const WITHOUT_SEARCH: TripPlanner = { trip: () => new Promise(() => {}) };

type Answer = ExecutionResult | Promise<ExecutionResult>;

interface Compiled {
  /** Undefined if there is none, or if every attempt would wait. */
  sync: SyncQuery | undefined;
  /** Compiled at first use. */
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
    // Compiled code words errors of variables differently, and lacks the messages of our scalars.
    const definitions = operation.variableDefinitions ?? [];
    const { errors, coerced } = getVariableValues(this.#schema, definitions, variables, { maxErrors: MOST_ERRORS });
    if (errors) return { errors };
    return (
      this.#tryAtOnce(compiled, coerced, context) ?? context.slices.inTime(() => this.#run(question, compiled, context))
    );
  }

  /**
   * Tries the query without waiting. An abandoned attempt does not count against budget and time, and starts no search.
   */
  #tryAtOnce(compiled: Compiled, variables: Variables, context: RequestContext): ExecutionResult | undefined {
    if (!compiled.sync) return undefined;
    const slices = new TimeSlices(this.#limits.GRAPHQL_SLICE_MS);
    const budget = new ItemBudget(this.#limits);
    const attempt = { ...context, budget, slices, planner: WITHOUT_SEARCH, extensions: {} };
    const result = compiled.sync.execute(attempt, variables);
    slices.stop();
    // A long answer waits only for its turn. If anything else waits, it will wait the next time too.
    if (result === 'waits' && !slices.isOver()) compiled.sync = undefined;
    if (result === 'waits' || !result) return undefined;
    Object.assign(context.extensions, attempt.extensions);
    return result;
  }

  #run(question: Question, compiled: Compiled, context: RequestContext): Answer {
    const jit = compiled.jit ?? this.#compile(question);
    compiled.jit = jit;
    return context.slices.inTime(() =>
      jit === 'interpreted'
        ? this.#interpret(question, context)
        : (jit.query(undefined, context, question.variables ?? {}) as Answer),
    );
  }

  #compile({ document, operation }: Question): CompiledQuery | 'interpreted' {
    if (isTooLongToCompile(document, operation)) return 'interpreted';
    const query = compileQuery(this.#schema, document, operation.name?.value ?? '');
    return isCompiledQuery(query) ? query : 'interpreted';
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
