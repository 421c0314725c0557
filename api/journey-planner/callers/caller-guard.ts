/**
 * The first step of each request to journey planner and geocoder: who asks, whether he is blocked, whether anything is left. GraphQL
 * requests are counted when it is known what they ask (`countGraphqlCall`), all others here. Made by `../start-planner.ts`; a process
 * without it limits nobody, as in tests of a single router.
 */
import { type NextFunction, type Request, type Response, Router } from 'express';
import { Counter } from 'prom-client';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { findRequestContext } from '../../shared/request-context.ts';
import { callerAddress, networkOf } from '../../shared/trusted-proxies.ts';
import type { PlannerContext } from '../planner-context.ts';
import { Call } from './call.ts';
import { readClientName } from './client-name.ts';
import { RateLimits } from './rate-limits.ts';
import { BLOCKED_TEXT, tooMany, tooManyForGraphql } from './refuse-call.ts';

const PREFIXES = ['/journey-planner', '/geocoder'];
const GRAPHQL = /^\/journey-planner\/v[23]\/graphql$/;

export interface CallerGuard {
  readonly router: Router;
  readonly limits: RateLimits;
}

export function createCallerGuard(context: Pick<PlannerContext, 'config' | 'metrics'>): CallerGuard {
  const { config, metrics } = context;
  const limits = new RateLimits(config);
  const headerNames = [`${config.HEADER_PREFIX}-Client-Name`, ...config.CLIENT_NAME_HEADERS].map((name) =>
    name.toLowerCase(),
  );
  const refused = new Counter({
    name: 'planner_callers_refused_total',
    help: 'Requests refused before they were read or counted, by the reason',
    labelNames: ['reason'],
    registers: [metrics],
  });
  for (const reason of ['blocked', 'rate']) refused.inc({ reason }, 0);
  const router = Router({ caseSensitive: true });
  router.use(PREFIXES, (request: Request, response: Response, next: NextFunction) => {
    const { name, blocked } = readClientName(request.headers, headerNames, config.BLOCKED_CLIENT_NAMES);
    const address = callerAddress(request, config.TRUSTED_PROXIES);
    const call = new Call(limits.admit({ name, network: networkOf(address) }), limits, request, response);
    const isGraphql = GRAPHQL.test(request.baseUrl + request.path);
    if (blocked) {
      refused.inc({ reason: 'blocked' });
      if (!isGraphql) throw new ServiceError('CLIENT_BLOCKED', BLOCKED_TEXT);
      const error = { message: BLOCKED_TEXT, extensions: { code: 'CLIENT_BLOCKED' } };
      return refuse(request, response, 403, { errors: [error] });
    }
    if (!isGraphql) {
      const decision = call.count('other');
      if (decision.accepted) return next();
      refused.inc({ reason: 'rate' });
      throw tooMany(call.caller, decision);
    }
    if (limits.hasRoom(call.caller)) return next();
    refused.inc({ reason: 'rate' });
    call.leaveUncounted();
    const { message, extensions } = tooManyForGraphql(call.caller, limits.look(call.caller, 'other'), response);
    const { http: _status, ...shown } = extensions;
    refuse(request, response, 429, { errors: [{ message, extensions: shown }] });
  });
  return { router, limits };
}

/** The body is unread; its bytes must not be parsed as the next request. */
function refuse(request: Request, response: Response, status: number, body: unknown): void {
  const requestContext = findRequestContext(request);
  if (requestContext) requestContext.operationId = 'journeyPlanner.refused';
  if (!request.complete) response.setHeader('connection', 'close');
  response.setHeader('cache-control', 'no-store');
  response.status(status).json(body);
}
