/**
 * From a validated question to what the caller gets: executed within its limits, of one snapshot, errors made presentable. Called by
 * the Apollo plugin and by `direct-answers.ts`, so that both say the same. Waits only where something in the answer does.
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
  /** Undefined: 200. */
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
  // What waited for nothing has seen no other snapshot.
  if (!(result instanceof Promise)) return finish(result);
  return ofOneSnapshot(result, changes, run, asksOneQuestion(question.operation), context).then(finish);
}

/**
 * Runs again when a trip was found in another snapshot than the rest may have been read from: no answer is of two. One question alone
 * is of the one its trip was found in.
 */
async function ofOneSnapshot(
  first: Promise<ExecutionResult>,
  changesBefore: number,
  run: () => ExecutionResult | Promise<ExecutionResult>,
  isOneQuestion: boolean,
  context: RequestContext,
): Promise<ExecutionResult> {
  let changes = changesBefore;
  let result = await first;
  while (context.timetableChanges > changes && !isOneQuestion && !context.signal.aborted && !context.budget.refusal) {
    changes = context.timetableChanges;
    result = await run();
  }
  return result;
}

function asksOneQuestion({ selectionSet: { selections } }: OperationDefinitionNode): boolean {
  return selections.length === 1 && selections[0]?.kind === Kind.FIELD;
}

/** A refusal in the middle takes the place of everything. */
function present(result: ExecutionResult, context: RequestContext, log: Logger): Answer {
  const { refusal } = context.budget;
  const data = refusal ? undefined : result.data;
  const errors: readonly GraphQLError[] | undefined = refusal ? [refusal] : result.errors;
  const presented = errors && errors.length > 0 ? presentErrors(errors, context.requestId, log) : undefined;
  // Without data nothing was executed: the variables did not fit.
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

/** Gives up when the time is over or the answer has grown too large; the search and the lists behind it are told. */
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
