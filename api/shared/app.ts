/**
 * Assembles a server: request context, HTTPS rule, CORS, the route table of its areas, further routers, and problem+json for
 * everything else. Called by each HTTP process and by tests; opens no port.
 */
import express, { type Express, type Request, type Response, type Router } from 'express';
import { Registry } from 'prom-client';
import type { Logger } from '../../platform/log.ts';
import { watchDependencies } from '../../platform/metrics/dependency-metrics.ts';
import type { HealthCheck } from '../../platform/process/health.ts';
import { Readiness } from '../../platform/process/readiness.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { type AppState, setAppState } from './app-state.ts';
import type { RequestAudit } from './audited.ts';
import { beginRequest } from './begin-request.ts';
import { checkBeforeRouting } from './check-before-routing.ts';
import { checkDates, DEFAULT_DEPRECATION_DATES, type DeprecationDates } from './deprecation.ts';
import { dispatch } from './dispatch.ts';
import type { FindChannel } from './distribution-channel.ts';
import type { HttpsRule } from './https-rule.ts';
import type { AnswerSeal, IdempotencyParts } from './idempotency.ts';
import { LateRefusals } from './late-refusals.ts';
import { createHttpMetrics } from './metrics.ts';
import type { OpenRequests } from './open-requests.ts';
import type { Area, Caller, Reply } from './operation.ts';
import { addOperationalRoutes } from './operational-routes.ts';
import { presentError } from './present-error.ts';
import { getRequestContext, type RequestContext } from './request-context.ts';
import { RouteTable } from './routes.ts';
import { sendReply } from './send.ts';
import type { FindSettlement } from './settlement-header.ts';
import { BODY_TIMEOUT_MS, type Progress } from './slow-body.ts';

export interface AppOptions {
  readonly areas: readonly Area[];
  readonly log: Logger;
  /** Redirects or refuses plain HTTP. Without it, plain HTTP is served as HTTPS is. */
  readonly https?: HttpsRule;
  /** Without it a caller may have any number of requests open. */
  readonly openRequests?: OpenRequests;
  /** Tests give their own. */
  readonly lateRefusals?: LateRefusals;
  /** Throws MISSING_TOKEN, INVALID_TOKEN or EXPIRED_TOKEN. A server without secured operations needs none. */
  readonly verifyToken?: (context: RequestContext) => Promise<Caller>;
  readonly idempotency?: IdempotencyParts;
  /** Seals stored answers that hold personal data. */
  readonly answerSeal?: AnswerSeal;
  /** Every process whose documents have `x-audit` gives it; tests of other parts do not. */
  readonly audit?: RequestAudit;
  /** Needed where a document has `x-distribution-channel`. */
  readonly findChannel?: FindChannel;
  /** Needed where a document has `x-settlement`. */
  readonly findSettlement?: FindSettlement;
  /** Replaces `Service` in the headers that the documents write `Service-…`. */
  readonly headerPrefix?: string;
  /** Origins of the documentation pages. Browsers on other sites are refused. */
  readonly allowedOrigins?: readonly string[];
  /** Keyed by the dependency's name; `/health/ready` runs them. */
  readonly health?: Readonly<Record<string, HealthCheck>>;
  readonly deprecation?: DeprecationDates;
  /** For paths that no OpenAPI document describes, as GraphQL. The first router that answers wins. */
  readonly routers?: readonly Router[];
  /** `/metrics` shows it; the HTTP base registers its own metrics there. */
  readonly registry?: Registry;
  /** Shorter in tests. */
  readonly bodyTimeoutMs?: number;
  /** Of streamed answers; shorter in tests. */
  readonly readProgress?: Progress;
}

const NO_DOCUMENT = 'There is no such document: GET /api-docs lists them.';

export function createApp(options: AppOptions): Express {
  const { allowedOrigins = [], health = {}, headerPrefix = 'Service', https, log, registry = new Registry() } = options;
  const { lateRefusals = new LateRefusals(), openRequests, routers = [], verifyToken = refuseEveryone } = options;
  const table = createTable({ ...options, headerPrefix, verifyToken });
  const state: AppState = {
    log,
    allowedFor: (target) => table.allowedFor(target),
    https,
    stopping: false,
    running: new Set(),
  };
  const metrics = createHttpMetrics(registry);
  const readiness = new Readiness(health);
  watchDependencies(registry, readiness);
  addOperationalRoutes(table, { readiness, registry, isStopping: () => state.stopping });
  const checkToken = async (context: RequestContext) => {
    if (table.needsToken(context.path)) await verifyToken(context);
  };
  const checks = { openRequests, https, allowedOrigins: new Set(allowedOrigins), checkToken };
  /** Undefined when the path is not in the table: the routers behind it may know it. */
  const answer = async (context: RequestContext): Promise<Reply | undefined> => {
    const match = table.find(context.path);
    try {
      const early = await checkBeforeRouting(context, checks);
      if (early) return early;
    } catch (error) {
      return presentError(context, error, match?.route.present);
    }
    return match && (await dispatch(match, context, checkToken));
  };

  const app = createExpress();
  setAppState(app, state);
  app.use(async (request, response, next) => {
    const context = beginRequest(request, response, { log, headerPrefix, metrics, state });
    const reply = await answer(context);
    if (context.refusedByLimit) await lateRefusals.wait(context.signal);
    if (reply) await sendReply(context, reply, options.readProgress);
    else next();
  });
  for (const router of routers) app.use(router);
  app.use(async (request) => {
    await checkToken(getRequestContext(request));
    const isDocument = getRequestContext(request).path.startsWith('/api-docs/');
    throw new ServiceError('NOT_FOUND', isDocument ? NO_DOCUMENT : 'There is nothing at this address.');
  });
  app.use(async (error: unknown, request: Request, _response: Response, _next: unknown) => {
    const context = getRequestContext(request);
    await sendReply(context, presentError(context, error));
  });
  return app;
}

function createTable(options: AppOptions & Required<Pick<AppOptions, 'headerPrefix' | 'verifyToken'>>): RouteTable {
  const { areas, headerPrefix, verifyToken, idempotency, answerSeal, audit, findChannel, findSettlement } = options;
  const { deprecation = DEFAULT_DEPRECATION_DATES, bodyTimeoutMs = BODY_TIMEOUT_MS } = options;
  checkDates(deprecation);
  const table = new RouteTable(options.https?.publicUrl);
  for (const area of areas) {
    const checks = { verifyToken, findChannel, findSettlement, headerPrefix, bodyTimeoutMs };
    table.addArea(area, { ...checks, idempotency, answerSeal, audit, deprecation });
  }
  return table;
}

function createExpress(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  return app;
}

async function refuseEveryone(): Promise<Caller> {
  throw new Error('This server has secured operations but no token check');
}
