/**
 * The GraphQL endpoints of both dialects: `POST /journey-planner/v2/graphql` and `/v3/graphql`. A request passes here: method and
 * media type, body, guards, snapshot, then the executor: through Apollo, or directly for a document that Apollo has let pass before.
 * Every refusal has a GraphQL error body. Mounted by `../server.ts`.
 */
import { expressMiddleware } from '@as-integrations/express5';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { GraphQLError } from 'graphql';
import { findRequestContext } from '../../shared/request-context.ts';
import { findCall } from '../callers/call.ts';
import { countGraphqlCall } from '../callers/refuse-call.ts';
import { badRequest, limitExceeded } from '../guards/refusal.ts';
import type { PlannerContext } from '../planner-context.ts';
import type { Dialect, RequestContext } from '../resolvers/request-context.ts';
import { resolverMap, typeOf } from '../resolvers/resolver-map.ts';
import { answerIntrospection } from '../schema/introspection-answers.ts';
import { loadSchema } from '../schema/load-schema.ts';
import { createApolloServer } from './apollo-server.ts';
import { directAnswers } from './direct-answers.ts';
import { QueryExecutor } from './execute.ts';
import { PreparedQueries } from './prepared-query.ts';
import { presentErrors } from './present-errors.ts';
import { requestContextOf, requestIdOf } from './request-state.ts';
import { ValidDocuments } from './valid-documents.ts';

const DIALECTS: readonly Dialect[] = ['v2', 'v3'];
/** Seconds before a caller asks again while there is no snapshot. */
const RETRY_AFTER_SECONDS = 5;

export function createGraphqlRouter(context: PlannerContext): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const dialect of DIALECTS) router.use(dialectRouter(dialect, context));
  return router;
}

function dialectRouter(dialect: Dialect, context: PlannerContext): Router {
  const path = `/journey-planner/${dialect}/graphql`;
  const schema = loadSchema(dialect, resolverMap, typeOf);
  const { config, log } = context;
  const documents = new ValidDocuments(config);
  const answering = { executor: new QueryExecutor(schema, config), limits: config, log };
  const server = createApolloServer(schema, documents, answering);
  const router = Router({ caseSensitive: true, strict: true });
  router.all(path, onlyPost(dialect));
  router.post(
    path,
    acceptBody(dialect),
    express.json({ limit: context.config.GRAPHQL_MAX_BODY_BYTES, type: 'application/json', strict: true }),
    guard(new PreparedQueries(context.config)),
    answerIntrospection(schema),
    (request, response, next) => {
      const timetable = context.timetable();
      if (!timetable) throw noSnapshot();
      response.locals.context = requestContextOf(request, response, dialect, timetable, context);
      next();
    },
    directAnswers(documents, answering),
    expressMiddleware(server, { context: async ({ res }) => res.locals.context as RequestContext }),
  );
  router.use(path, answerErrors(context));
  return router;
}

/** Browsers that come by address are shown where the query page is. */
function onlyPost(dialect: Dialect): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'POST') return next();
    response.setHeader('allow', 'POST');
    if (request.method === 'OPTIONS') return void response.status(204).end();
    throw badRequest(`Send queries by POST. The page to try them is at /journey-planner/${dialect}/ide.`, 405);
  };
}

function acceptBody(dialect: Dialect): RequestHandler {
  return (request, _response, next) => {
    const requestContext = findRequestContext(request);
    if (requestContext) requestContext.operationId = `journeyPlanner.${dialect}`;
    if (!request.is('application/json')) throw badRequest('Send JSON, with Content-Type: application/json.', 415);
    requestContext?.sendContinue?.();
    next();
  };
}

/** Before anything costly: the shape of the body, and of the query in it; then whether the caller has this much left. */
function guard(prepared: PreparedQueries): RequestHandler {
  return (request, response, next) => {
    const body: unknown = request.body;
    if (Array.isArray(body)) throw badRequest('Send one query a request: batches are not accepted.');
    if (typeof body !== 'object' || body === null) throw badRequest('The body must be a JSON object with a query.');
    const { query, operationName, variables } = body as Readonly<Record<string, unknown>>;
    if (typeof query !== 'string' || query.trim() === '') throw badRequest('The body must have a query, as text.');
    if (variables !== undefined && variables !== null && (typeof variables !== 'object' || Array.isArray(variables))) {
      throw badRequest('variables must be an object.');
    }
    const trips = prepared.check(
      query,
      typeof operationName === 'string' ? operationName : undefined,
      (variables ?? {}) as Readonly<Record<string, unknown>>,
    );
    countGraphqlCall(findCall(request), trips, response);
    next();
  };
}

function noSnapshot(): GraphQLError {
  return new GraphQLError('The timetable is still being loaded. Try again in a moment.', {
    extensions: { code: 'NO_TIMETABLE', http: { status: 503 } },
  });
}

/** Everything thrown before Apollo, in the form Apollo answers. Express knows an error handler by its four parameters. */
function answerErrors({ config, log }: PlannerContext): ErrorRequestHandler {
  return (error: unknown, request: Request, response: Response, next) => {
    if (response.headersSent) return next(error);
    const known = error instanceof GraphQLError ? error : bodyError(error, config.GRAPHQL_MAX_BODY_BYTES);
    const { errors, status } = presentErrors([known], requestIdOf(response), log);
    const code = status ?? 500;
    if (code === 503) response.setHeader('retry-after', String(RETRY_AFTER_SECONDS));
    // The rest of an unread body must not be parsed as the next request.
    if (request.method === 'POST' && !request.complete) response.setHeader('connection', 'close');
    response.status(code).json({ errors });
  };
}

/** Error of `express.json`. */
function bodyError(error: unknown, maximumBytes: number): GraphQLError {
  const { type, status } = (error ?? {}) as { readonly type?: unknown; readonly status?: unknown };
  if (type === 'entity.too.large') return limitExceededWith(maximumBytes);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return badRequest(status === 415 ? 'The encoding of the body is not known here.' : 'The body is not JSON.', status);
  }
  return new GraphQLError('Internal error', {
    originalError: error instanceof Error ? error : new Error(String(error)),
  });
}

function limitExceededWith(maximumBytes: number): GraphQLError {
  const { message, extensions } = limitExceeded('bodyBytes', maximumBytes, 'size of the body in bytes');
  return new GraphQLError(message, { extensions: { ...extensions, http: { status: 413 } } });
}
