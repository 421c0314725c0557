/**
 * Runs a validated query. A document seen again is compiled to a function (graphql-jit) and kept as long as Apollo keeps the
 * document; one seen for the first time, and introspection, is interpreted by graphql-js, whose answers are the same.
 * Called by the Apollo plugin alone.
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
import type { RequestContext } from '../resolvers/request-context.ts';

export interface Question {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** As many as graphql-js says at once. */
const MOST_ERRORS = 50;

type Answer = ExecutionResult | Promise<ExecutionResult>;
type Compiled = CompiledQuery | 'seen' | 'interpreted';

export class QueryExecutor {
  readonly #schema: GraphQLSchema;
  readonly #compiled = new WeakMap<OperationDefinitionNode, Compiled>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  execute(question: Question, context: RequestContext): Answer {
    const compiled = this.#compiledFor(question);
    if (compiled)
      return this.#whatIsWrong(question) ?? (compiled.query(undefined, context, question.variables ?? {}) as Answer);
    return execute({
      schema: this.#schema,
      document: question.document,
      operationName: question.operation.name?.value,
      variableValues: question.variables,
      contextValue: context,
    }) as Answer;
  }

  /** Compiled code has other words for variables that do not fit, and knows nothing of what our scalars say. */
  #whatIsWrong({ operation, variables }: Question): ExecutionResult | undefined {
    const definitions = operation.variableDefinitions ?? [];
    if (definitions.length === 0) return undefined;
    const { errors } = getVariableValues(this.#schema, definitions, variables ?? {}, { maxErrors: MOST_ERRORS });
    return errors && { errors };
  }

  #compiledFor({ document, operation }: Question): CompiledQuery | undefined {
    const known = this.#compiled.get(operation);
    if (known === undefined) {
      this.#compiled.set(operation, isInterpreted(operation) ? 'interpreted' : 'seen');
      return undefined;
    }
    if (known === 'interpreted') return undefined;
    if (known !== 'seen') return known;
    const compiled = compileQuery(this.#schema, document, operation.name?.value ?? '');
    this.#compiled.set(operation, isCompiledQuery(compiled) ? compiled : 'interpreted');
    return isCompiledQuery(compiled) ? compiled : undefined;
  }
}

/** Introspection, and variables with names that every object has: compiled code takes `$constructor` for given when it is not. */
function isInterpreted({ selectionSet, variableDefinitions }: OperationDefinitionNode): boolean {
  return (
    selectionSet.selections.some(
      (selection) => selection.kind === 'Field' && ['__schema', '__type'].includes(selection.name.value),
    ) || (variableDefinitions ?? []).some(({ variable }) => variable.name.value in Object.prototype)
  );
}
