/**
 * Puts a server together: entry step, HTTPS, CORS, the routes of its areas and the built-in ones, problem+json for everything
 * else. Called by each HTTP process and by tests; opens no port.
 */
import express, { type Express, type Request, type Response, type Router } from 'express';
import { Registry } from 'prom-client';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import type { Logger } from '../../platform/log.ts';
import { watchDependencies } from '../../platform/metrics/dependency-metrics.ts';
import type { HealthCheck } from '../../platform/process/health.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { beginRequest, type RunningRequest } from './begin-request.ts';
import { applyCors } from './cors.ts';
import { checkDates, type DeprecationDates } from './deprecation.ts';
import type { HttpsRule } from './https-rule.ts';
import type { AnswerSeal } from './idempotency.ts';
import { createHttpMetrics } from './metrics.ts';
import type { Area, Caller, Reply } from './operation.ts';
import { addOperationalRoutes } from './operational-routes.ts';
import { presentError } from './present-error.ts';
import { BODY_TIMEOUT_MS } from './request-body.ts';
import { getRequestContext, type RequestContext } from './request-context.ts';
import { dispatch, RouteTable, toExpressPath } from './routes.ts';
import { sendReply } from './send.ts';

export interface AppOptions {
  readonly areas: readonly Area[];
  readonly log: Logger;
  /** What plain HTTP gets; without, it is served as HTTPS is. */
  readonly https?: HttpsRule;
  /** Throws MISSING_TOKEN, INVALID_TOKEN or EXPIRED_TOKEN. A server without secured operations needs none. */
  readonly verifyToken?: (context: RequestContext) => Promise<Caller>;
  readonly idempotency?: IdempotencyStore;
  /** For answers that tell of persons. */
  readonly answerSeal?: AnswerSeal;
  /** Of the headers written `Service-…`; default `Service`. */
  readonly headerPrefix?: string;
  /** Origins of the documentation pages; browsers on others are refused. */
  readonly allowedOrigins?: readonly string[];
  /** By the dependency's name; asked by `/health/ready`. */
  readonly health?: Readonly<Record<string, HealthCheck>>;
  readonly deprecation?: DeprecationDates;
  /** Asked in this order before any answer of 404: what is not described by an OpenAPI document, as GraphQL. */
  readonly routers?: readonly Router[];
  /** What `/metrics` shows: this base adds its own to what others measure. */
  readonly registry?: Registry;
  /** Shorter in tests. */
  readonly bodyTimeoutMs?: number;
}

/** What `serve` needs to know about an app. */
export interface AppState {
  readonly log: Logger;
  readonly allowedFor: (target: string) => readonly string[] | undefined;
  readonly https: HttpsRule | undefined;
  stopping: boolean;
  /** Aborted when the grace period is over. */
  readonly running: Set<RunningRequest>;
}

const states = new WeakMap<Express, AppState>();

export function getAppState(app: Express): AppState {
  const state = states.get(app);
  if (!state) throw new Error('The app was not made by createApp');
  return state;
}

const DEFAULT_DATES: DeprecationDates = {
  deprecatedAt: new Date('2026-11-21T00:00:00Z'),
  sunsetAt: new Date('2027-11-21T00:00:00Z'),
};

export function createApp(options: AppOptions): Express {
  const deprecation = options.deprecation ?? DEFAULT_DATES;
  checkDates(deprecation);
  const headerPrefix = options.headerPrefix ?? 'Service';
  const table = new RouteTable();
  const bodyTimeoutMs = options.bodyTimeoutMs ?? BODY_TIMEOUT_MS;
  const verifyToken = options.verifyToken ?? refuseEveryone;
  for (const area of options.areas) {
    const { idempotency, answerSeal } = options;
    table.addArea(area, { verifyToken, idempotency, answerSeal, deprecation, headerPrefix, bodyTimeoutMs });
  }
  const state: AppState = {
    log: options.log,
    allowedFor: (target) => table.allowedFor(target),
    https: options.https,
    stopping: false,
    running: new Set(),
  };
  const { health = {}, registry = new Registry() } = options;
  const metrics = createHttpMetrics(registry);
  watchDependencies(registry, health);
  addOperationalRoutes(table, { health, registry, isStopping: () => state.stopping });

  const app = express();
  states.set(app, state);
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  const allowedOrigins = new Set(options.allowedOrigins ?? []);
  /** Where no operation does it: of what is not there. */
  const checkToken = async (context: RequestContext) => {
    if (table.needsToken(context.path)) await verifyToken(context);
  };
  app.use(async (request, response, next) => {
    const context = beginRequest(request, response, { ...options, headerPrefix, metrics, state });
    const early = await enter(context, { ...options, allowedOrigins, checkToken, table });
    if (early) await sendReply(context, early);
    else next();
  });
  for (const route of table.list()) {
    app.all(toExpressPath(route.path), async (request: Request) => {
      const context = getRequestContext(request);
      context.route = route.path;
      const path = request.params as Readonly<Record<string, string>>;
      await sendReply(context, await dispatch(route, context, path, checkToken));
    });
  }
  for (const router of options.routers ?? []) app.use(router);
  app.use(async (request) => {
    await checkToken(getRequestContext(request));
    throw new ServiceError('NOT_FOUND', 'There is nothing at this address.');
  });
  app.use(async (error: unknown, request: Request, _response: Response, _next: unknown) => {
    const context = getRequestContext(request);
    await sendReply(context, presentError(context, error));
  });
  return app;
}

interface Entrance {
  readonly https?: HttpsRule;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly checkToken: (context: RequestContext) => Promise<void>;
  readonly table: RouteTable;
}

/** The answer of a request that no route shall see; undefined for every other. */
async function enter(context: RequestContext, entrance: Entrance): Promise<Reply | undefined> {
  const { https, allowedOrigins, checkToken, table } = entrance;
  try {
    const elsewhere = https?.check(context);
    if (elsewhere) return elsewhere;
    const unfit = findUnfitTarget(context);
    if (unfit) {
      await checkToken(context);
      throw unfit;
    }
    const cors = applyCors(context.request, context.response, allowedOrigins);
    if (cors) return cors;
    if (context.request.method === 'OPTIONS' && context.request.url === '*') {
      return { status: 204, headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } };
    }
    return undefined;
  } catch (error) {
    return presentError(context, error, table.presenterFor(context.path));
  }
}

/** Malformed percent-encoding and NUL in the address; a missing `Host`, which Node would answer without a body. */
function findUnfitTarget(context: RequestContext): ServiceError | undefined {
  const { request } = context;
  const target = request.url ?? '';
  let problem: { pointer: string; detail: string } | undefined;
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    problem = { pointer: '/header/Host', detail: 'is required' };
  }
  try {
    if (decodeURIComponent(target).includes('\0')) {
      problem = { pointer: '/path', detail: 'must not contain NUL' };
    }
  } catch {
    problem = { pointer: '/path', detail: 'must be percent-encoded UTF-8' };
  }
  if (!problem) return undefined;
  return new ServiceError('VALIDATION_FAILED', 'The address of the request cannot be used.', {
    errors: [{ ...problem, code: 'TARGET' }],
  });
}

async function refuseEveryone(): Promise<Caller> {
  throw new Error('This server has secured operations but no token check');
}
