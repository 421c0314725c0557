/**
 * The first step of each request to journey planner and geocoder. It identifies the caller, and refuses blocked callers
 * and those over their limit. GraphQL requests are counted once their operations are known (`countGraphqlCall`), all
 * others here. `../start-planner.ts` creates it. A process without it limits no caller, as in tests of a single router.
 */
import { type NextFunction, type Request, type Response, Router } from 'express';
import { Counter } from 'prom-client';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { findRequestContext } from '../../shared/request-context.ts';
import { callerAddress } from '../../shared/trusted-proxies.ts';
import type { PlannerContext } from '../planner-context.ts';
import { Call } from './call.ts';
import { networksOf } from './caller-networks.ts';
import { readClientName } from './client-name.ts';
import { RateLimits } from './rate-limits.ts';
import { BLOCKED_TEXT, tooMany, tooManyForGraphql } from './refuse-call.ts';
import { sendJson } from './send-json.ts';

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
    const call = new Call({ name, ...networksOf(address) }, limits, request, response);
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
    if (call.begin()) return next();
    refused.inc({ reason: 'rate' });
    const { message, extensions } = tooManyForGraphql(call.caller, limits.look(call.caller, 'other'), response);
    const { http: _status, ...shown } = extensions;
    refuse(request, response, 429, { errors: [{ message, extensions: shown }] });
  });
  return { router, limits };
}

function refuse(request: Request, response: Response, status: number, body: unknown): void {
  const requestContext = findRequestContext(request);
  if (requestContext) requestContext.operationId = 'journeyPlanner.refused';
  response.setHeader('cache-control', 'no-store');
  sendJson(request, response.status(status), body);
}
