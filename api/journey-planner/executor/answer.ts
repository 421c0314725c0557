/**
 * Executes a validated query within its limits, on one snapshot, and presents its errors. The Apollo plugin and
 * `direct-answers.ts` both call it, so their answers agree. It is synchronous unless something in the answer waits.
 */
import {
  type ExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Logger } from '../../../platform/log.ts';
import { timeExceeded } from '../guards/item-budget.ts';
import type { GraphqlLimits } from '../guards/limits.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import type { QueryExecutor, Question } from './execute.ts';
import { presentErrors } from './present-errors.ts';

export interface Answer {
  /** Undefined means 200. */
  readonly status: number | undefined;
  readonly body: {
    readonly errors?: readonly GraphQLFormattedError[];
    readonly data?: Record<string, unknown> | null;
    readonly extensions?: Record<string, unknown>;
  };
}

export interface Answering {
  readonly executor: QueryExecutor;
  readonly limits: GraphqlLimits;
  readonly log: Logger;
}

export function answer(
  question: Question,
  context: RequestContext,
  { executor, limits, log }: Answering,
): Answer | Promise<Answer> {
  const run = (): ExecutionResult | Promise<ExecutionResult> => {
    const result = executor.execute(question, context);
    return result instanceof Promise ? within(limits, result, context) : result;
  };
  const finish = (result: ExecutionResult): Answer => {
    context.slices.stop();
    return present(result, context, log);
  };
  const changes = context.timetableChanges;
  const result = run();
  // A synchronous answer has read one snapshot only.
  if (!(result instanceof Promise)) return finish(result);
  return ofOneSnapshot(result, changes, run, selectsOneField(question.operation), context).then(finish);
}

/**
 * Runs the query again if a trip came from a newer snapshot than other parts of the answer may have. So no answer mixes
 * two snapshots. A query of a single field needs no second run.
 */
async function ofOneSnapshot(
  first: Promise<ExecutionResult>,
  changesBefore: number,
  run: () => ExecutionResult | Promise<ExecutionResult>,
  hasOneField: boolean,
  context: RequestContext,
): Promise<ExecutionResult> {
  let changes = changesBefore;
  let result = await first;
  while (context.timetableChanges > changes && !hasOneField && !context.signal.aborted && !context.budget.refusal) {
    changes = context.timetableChanges;
    result = await run();
  }
  return result;
}

function selectsOneField({ selectionSet: { selections } }: OperationDefinitionNode): boolean {
  return selections.length === 1 && selections[0]?.kind === Kind.FIELD;
}

/** A refusal during execution replaces the whole answer. */
function present(result: ExecutionResult, context: RequestContext, log: Logger): Answer {
  const { refusal } = context.budget;
  const data = refusal ? undefined : result.data;
  const errors: readonly GraphQLError[] | undefined = refusal ? [refusal] : result.errors;
  const presented = errors && errors.length > 0 ? presentErrors(errors, context.requestId, log) : undefined;
  // Without data nothing was executed, because the variables did not fit.
  const status = presented && (presented.status ?? (data === undefined ? 400 : undefined));
  const hasExtensions = Object.keys(context.extensions).length > 0;
  return {
    status,
    body: {
      ...(presented ? { errors: presented.errors } : {}),
      ...(data === undefined ? {} : { data }),
      ...(hasExtensions ? { extensions: context.extensions } : {}),
    },
  };
}

/**
 * Ends when the time is over or the answer is too large. It then aborts the signal, which stops searches and pending
 * lists.
 */
async function within(
  limits: GraphqlLimits,
  result: Promise<ExecutionResult>,
  context: RequestContext,
): Promise<ExecutionResult> {
  const { promise: timeout, resolve } = Promise.withResolvers<ExecutionResult>();
  const timer = setTimeout(() => {
    resolve({ errors: [timeExceeded(limits)] });
    context.giveUp();
  }, limits.GRAPHQL_TIMEOUT_MS);
  const refused = context.budget.whenRefused.then((error): ExecutionResult => ({ errors: [error] }));
  try {
    return await Promise.race([result, timeout, refused]);
  } finally {
    clearTimeout(timer);
  }
}
