/**
 * Apollo Server for one dialect: it parses, validates and answers by HTTP; execution is ours (`execute.ts`). Persisted queries,
 * batches, landing page and every report to outside are off. Called by the router.
 */
import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestListener, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Logger } from '../../../activities/shared/log.ts';
import { timeExceeded } from '../guards/item-budget.ts';
import type { GraphqlLimits } from '../guards/limits.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { QueryExecutor } from './execute.ts';
import { LruCache } from './lru-cache.ts';
import { presentErrors } from './present-errors.ts';

export function createApolloServer(
  schema: GraphQLSchema,
  limits: GraphqlLimits,
  log: Logger,
): ApolloServer<RequestContext> {
  const server = new ApolloServer<RequestContext>({
    schema,
    introspection: true,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    parseOptions: { maxTokens: limits.GRAPHQL_MAX_TOKENS },
    documentStore: documentStore(limits),
    logger: { debug: () => {}, info: () => {}, warn: (text) => log.warn(text), error: (text) => log.error(text) },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      executionPlugin(new QueryExecutor(schema), limits, log),
    ],
  });
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  return server;
}

/** Parsed and validated documents. */
function documentStore(limits: GraphqlLimits) {
  const kept = new LruCache<DocumentNode>(limits.GRAPHQL_CACHED_QUERIES, limits.GRAPHQL_CACHED_CHARACTERS);
  return {
    get: async (key: string) => kept.get(key),
    set: async (key: string, document: DocumentNode) => kept.set(key, document, document.loc?.end ?? 0),
    delete: async (key: string) => kept.delete(key),
  };
}

function executionPlugin(
  executor: QueryExecutor,
  limits: GraphqlLimits,
  log: Logger,
): ApolloServerPlugin<RequestContext> {
  const listener: GraphQLRequestListener<RequestContext> = {
    async responseForOperation({ document, operation, request, contextValue }) {
      if (!operation) return null;
      const question = { document, operation, variables: request.variables };
      const run = () => {
        const answer = executor.execute(question, contextValue);
        return answer instanceof Promise ? within(limits, answer, contextValue) : answer;
      };
      const result = await ofOneSnapshot(run, asksOneQuestion(operation), contextValue);
      contextValue.slices.stop();
      const { status, body } = present(result, contextValue, log);
      const http = { headers: new HeaderMap(), ...(status === undefined ? {} : { status }) };
      return { http, body: { kind: 'single', singleResult: body } };
    },
  };
  return { requestDidStart: async () => listener };
}

/**
 * Runs again when a trip was found in another snapshot than the rest may have been read from: no answer is of two. One question alone
 * is of the one its trip was found in.
 */
async function ofOneSnapshot(
  run: () => ExecutionResult | Promise<ExecutionResult>,
  isOneQuestion: boolean,
  context: RequestContext,
): Promise<ExecutionResult> {
  for (;;) {
    const changes = context.timetableChanges;
    const result = await run();
    const isMixed = context.timetableChanges > changes && !isOneQuestion;
    if (!isMixed || context.signal.aborted || context.budget.refusal) return result;
  }
}

function asksOneQuestion({ selectionSet: { selections } }: OperationDefinitionNode): boolean {
  return selections.length === 1 && selections[0]?.kind === Kind.FIELD;
}

/** What the caller gets; a refusal in the middle takes the place of everything. */
function present(result: ExecutionResult, context: RequestContext, log: Logger) {
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
  answer: Promise<ExecutionResult>,
  context: RequestContext,
): Promise<ExecutionResult> {
  const { promise: timeout, resolve } = Promise.withResolvers<ExecutionResult>();
  const timer = setTimeout(() => {
    resolve({ errors: [timeExceeded(limits)] });
    context.giveUp();
  }, limits.GRAPHQL_TIMEOUT_MS);
  const refused = context.budget.whenRefused.then((error): ExecutionResult => ({ errors: [error] }));
  try {
    return await Promise.race([answer, timeout, refused]);
  } finally {
    clearTimeout(timer);
  }
}
