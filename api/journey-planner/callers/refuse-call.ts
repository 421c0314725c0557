/** Refuses a caller that is blocked or over its limits, in the error format of the requested path. */
import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { Call } from './call.ts';
import { retryAfterSeconds, setRateLimitHeaders } from './rate-limit-headers.ts';
import type { Allowance, Caller } from './rate-limits.ts';

/** Counts the request and its `trips` searches. Throws a GraphQL error with status 429 if they exceed the limit. */
export function countGraphqlCall(call: Call | undefined, trips: number, response: ServerResponse): void {
  if (!call) return;
  const decision = trips > 0 ? call.count('trip', trips) : call.count('other');
  if (decision.accepted) return;
  throw tooManyForGraphql(call.caller, decision, response, trips);
}

/** Additional requests that an introspection without a kept answer counts as, by the time it takes. */
const INTROSPECTION_REQUESTS = 9;

/** Throws a GraphQL error with status 429 if the limit does not allow it. The request itself was counted before. */
export function countIntrospection(call: Call | undefined, response: ServerResponse): void {
  if (!call) return;
  const decision = call.count('other', INTROSPECTION_REQUESTS);
  if (!decision.accepted) throw tooManyForGraphql(call.caller, decision, response);
}

export function tooManyForGraphql(
  caller: Caller,
  refused: Allowance,
  response: ServerResponse,
  trips = 0,
): GraphQLError {
  const seconds = retryAfterSeconds(refused, Date.now());
  setRateLimitHeaders(response, refused);
  response.setHeader('retry-after', String(seconds));
  return new GraphQLError(tooManyText(caller, refused, trips), {
    extensions: {
      code: 'RATE_LIMITED',
      allowed: refused.allowed,
      range: refused.range,
      retryAfterSeconds: seconds,
      http: { status: 429 },
    },
  });
}

export function tooMany(caller: Caller, refused: Allowance): ServiceError {
  return new ServiceError('RATE_LIMITED', tooManyText(caller, refused), {
    headers: { 'retry-after': String(retryAfterSeconds(refused, Date.now())) },
  });
}

export const BLOCKED_TEXT = 'Callers of this name are not served. Write to the operator if that is wrong.';

const SHARED_BY = { caller: '', address: ' from one address', network: ' from one network' } as const;

function tooManyText({ name }: Caller, { allowed, range, of }: Allowance, trips = 0): string {
  const most = `${allowed} requests ${range === 'per-minute' ? 'a minute' : 'a second'}${SHARED_BY[of]}`;
  const isOwnLimit = of === 'caller' && name === undefined;
  const hint = isOwnLimit ? ' Say who you are with a client name, <company>-<application>, to get more.' : '';
  if (trips > allowed) return `This request asks for ${trips} trips; each counts, and ${most} are allowed.${hint}`;
  return `Too many requests: ${most} are allowed.${hint}`;
}
