/** Refusal of a caller over its limits or blocked, in the error format of the address. */
import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { Call } from './call.ts';
import { retryAfterSeconds, setRateLimitHeaders } from './rate-limit-headers.ts';
import type { Allowance, Caller } from './rate-limits.ts';

/** Throws a GraphQL error with status 429 unless there is room; `trips` searches count each. */
export function countGraphqlCall(call: Call | undefined, trips: number, response: ServerResponse): void {
  if (!call) return;
  const decision = trips > 0 ? call.count('trip', trips) : call.count('other');
  if (decision.accepted) return;
  throw tooManyForGraphql(call.caller, decision, response, trips);
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

function tooManyText({ name }: Caller, { allowed, range }: Allowance, trips = 0): string {
  const most = `${allowed} requests ${range === 'per-minute' ? 'a minute' : 'a second'}`;
  const hint = name === undefined ? ' Say who you are with a client name, <company>-<application>, to get more.' : '';
  if (trips > allowed) return `This request asks for ${trips} trips; each counts, and ${most} are allowed.${hint}`;
  return `Too many requests: ${most} are allowed.${hint}`;
}
