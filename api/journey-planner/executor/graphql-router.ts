/**
 * The GraphQL endpoints of both dialects: `POST /journey-planner/v2/graphql` and `/v3/graphql`. A request passes these
 * steps: method and media type, body, guards, snapshot, executor. The executor runs through Apollo, or directly for a
 * document that Apollo has accepted before. Every refusal has a GraphQL error body. `../server.ts` mounts it.
 */
import { expressMiddleware } from '@as-integrations/express5';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { GraphQLError } from 'graphql';
import { findRequestContext } from '../../shared/request-context.ts';
import { findCall } from '../callers/call.ts';
import { countGraphqlCall } from '../callers/refuse-call.ts';
import { sendJson } from '../callers/send-json.ts';
import type { GraphqlLimits } from '../guards/limits.ts';
import { badRequest, limitExceeded } from '../guards/refusal.ts';
import type { PlannerContext } from '../planner-context.ts';
import type { Dialect, RequestContext } from '../resolvers/request-context.ts';
import { resolverMap, typeOf } from '../resolvers/resolver-map.ts';
import { IntrospectionAnswers } from '../schema/introspection-answers.ts';
import { answerIntrospection } from '../schema/introspection-handler.ts';
import { loadSchema } from '../schema/load-schema.ts';
import { createApolloServer } from './apollo-server.ts';
import { directAnswers } from './direct-answers.ts';
import { QueryExecutor } from './execute.ts';
import { PreparedQueries } from './prepared-query.ts';
import { presentErrors } from './present-errors.ts';
import { requestContextOf, requestIdOf } from './request-state.ts';
import { TimeSlices } from './time-slices.ts';
import { ValidDocuments } from './valid-documents.ts';

const DIALECTS: readonly Dialect[] = ['v2', 'v3'];
/** Seconds after which a caller should retry while there is no snapshot. */
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
    readJson(config),
    guard(new PreparedQueries(config), config),
    answerIntrospection(new IntrospectionAnswers(schema, config)),
    (request, response, next) => {
      const timetable = context.timetable();
      if (!timetable) throw noSnapshot();
      const made = requestContextOf(request, response, dialect, timetable, context);
      response.locals.context = made;
      next();
    },
    directAnswers(documents, answering),
    expressMiddleware(server, { context: async ({ res }) => res.locals.context as RequestContext }),
  );
  router.use(path, answerErrors(context));
  return router;
}

/** Directs a browser that opens the address to the query page. */
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
    if (requestContext?.sendContinue) {
      requestContext.sendContinue();
      requestContext.sendContinue = undefined;
    }
    next();
  };
}

/**
 * `express.json` decompresses and parses, but would wait for a slow body as long as the connection lasts. So add a time
 * limit.
 */
function readJson({
  GRAPHQL_MAX_BODY_BYTES: limit,
  GRAPHQL_BODY_TIMEOUT_MS: timeoutMs,
}: GraphqlLimits): RequestHandler {
  const parse = express.json({ limit, type: 'application/json', strict: true });
  return (request, response, next) => {
    let settled = false;
    const settle = (error?: unknown) => {
      clearTimeout(timer);
      if (settled) return;
      settled = true;
      next(error);
    };
    const timer = setTimeout(
      () => settle(badRequest('The body did not arrive in time. Send the request again.', 408)),
      timeoutMs,
    );
    parse(request, response, settle);
  };
}

/** Checks the shape of the body and of its query before any costly work, then the caller's limit. */
function guard(prepared: PreparedQueries, { GRAPHQL_SLICE_MS: sliceMs }: GraphqlLimits): RequestHandler {
  return async (request, response, next) => {
    const slices = new TimeSlices(sliceMs);
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
    response.locals.slices = slices;
    if (slices.isOver()) await slices.turn();
    next();
  };
}

function noSnapshot(): GraphQLError {
  return new GraphQLError('The timetable is still being loaded. Try again in a moment.', {
    extensions: { code: 'NO_TIMETABLE', http: { status: 503 } },
  });
}

/**
 * Answers errors thrown before Apollo, in Apollo's format. Express identifies an error handler by its four parameters.
 */
function answerErrors({ config, log }: PlannerContext): ErrorRequestHandler {
  return (error: unknown, request: Request, response: Response, next) => {
    if (response.headersSent) return next(error);
    const known = error instanceof GraphQLError ? error : bodyError(error, config.GRAPHQL_MAX_BODY_BYTES);
    const { errors, status } = presentErrors([known], requestIdOf(response), log);
    const code = status ?? 500;
    if (code === 503) response.setHeader('retry-after', String(RETRY_AFTER_SECONDS));
    sendJson(request, response.status(code), { errors });
  };
}

/** Turns an error of `express.json` into a GraphQL error. */
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
