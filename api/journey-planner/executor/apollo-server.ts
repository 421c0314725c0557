/**
 * Apollo Server for one dialect. Apollo parses, validates and answers over HTTP; `answer.ts` executes. Persisted
 * queries, batches, landing page and all reports to outside are off. The router calls it for requests that
 * `direct-answers.ts` passes on.
 */
import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestListener, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../resolvers/request-context.ts';
import { type Answering, answer } from './answer.ts';
import { jsonInSlices } from './json-in-slices.ts';
import { TimeSlices } from './time-slices.ts';
import type { ValidDocuments } from './valid-documents.ts';

export function createApolloServer(
  schema: GraphQLSchema,
  documents: ValidDocuments,
  answering: Answering,
): ApolloServer<RequestContext> {
  const { limits, log } = answering;
  const server = new ApolloServer<RequestContext>({
    schema,
    introspection: true,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    stringifyResult: async (result) =>
      `${(await jsonInSlices(result, new TimeSlices(limits.GRAPHQL_SLICE_MS))).join('')}\n`,
    parseOptions: { maxTokens: limits.GRAPHQL_MAX_TOKENS },
    documentStore: documents,
    logger: { debug: () => {}, info: () => {}, warn: (text) => log.warn(text), error: (text) => log.error(text) },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      executionPlugin(answering),
    ],
  });
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  return server;
}

function executionPlugin(answering: Answering): ApolloServerPlugin<RequestContext> {
  const listener: GraphQLRequestListener<RequestContext> = {
    async responseForOperation({ document, operation, request, contextValue }) {
      if (!operation) return null;
      const question = { document, operation, variables: request.variables };
      const { status, body } = await contextValue.slices.inTime(() => answer(question, contextValue, answering));
      const http = { headers: new HeaderMap(), ...(status === undefined ? {} : { status }) };
      return { http, body: { kind: 'single', singleResult: body } };
    },
  };
  return { requestDidStart: async () => listener };
}
