/**
 * Error answers: `application/problem+json` (RFC 9457) with the service's stable codes. Internal causes belong in the
 * log only.
 */
import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '../../workflows/shared/error-codes.ts';
import type { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Reply } from './operation.ts';

export const PROBLEM_TYPE = 'application/problem+json';
const TYPE_BASE = 'https://service.invalid/problems/';

/** Titles that say more than the code in words, which is the title of all other codes. */
const TITLES: Partial<Record<ErrorCode, string>> = {
  MALFORMED_JSON: 'The body is not JSON',
  MISSING_TOKEN: 'An access token is needed',
  INVALID_TOKEN: 'The access token is not valid',
  EXPIRED_TOKEN: 'The access token has expired',
  INSUFFICIENT_SCOPE: 'The access token does not allow this',
  ORIGIN_FORBIDDEN: 'Browsers on other sites have no access',
  CLIENT_BLOCKED: 'Callers of this name are not served',
  CODESPACE_FORBIDDEN: 'The codespace is not granted to the caller',
  IDEMPOTENCY_ANSWER_INVALID: 'The stored answer cannot be trusted',
  IDEMPOTENCY_IN_PROGRESS: 'The first request with this key is still running',
  IDEMPOTENCY_KEY_REUSED: 'The key belongs to another request',
  HEADERS_TOO_LARGE: 'The request header is too large',
  INTERNAL: 'Something failed on our side',
};

/** A payment is declined: the member `errorReason` repeats the code, as readers of payment errors expect it. */
const DECLINES: ReadonlySet<ErrorCode> = new Set(['SOFT_DECLINE', 'REFUSED_BY_ISSUER']);

/** The customer passes a challenge, and then the same request is made again: it must work under its key. */
const REPEATABLE: ReadonlySet<ErrorCode> = new Set(['SOFT_DECLINE']);

export interface ProblemPlace {
  readonly instance: string;
  readonly correlationId: string;
  readonly now?: Date;
}

export function problemBody(error: ServiceError, place: ProblemPlace): Record<string, unknown> {
  return {
    type: `${TYPE_BASE}${error.code}`,
    title: TITLES[error.code] ?? titleOf(error.code),
    status: error.status,
    code: error.code,
    detail: error.message,
    instance: place.instance,
    correlationId: place.correlationId,
    timestamp: (place.now ?? new Date()).toISOString(),
    ...(error.errors ? { errors: error.errors } : {}),
    ...(DECLINES.has(error.code) && { errorReason: error.code }),
    ...error.members,
  };
}

export function problemReply(error: ServiceError, place: ProblemPlace): Reply {
  return {
    status: error.status,
    headers: { ...error.headers, 'content-type': PROBLEM_TYPE },
    ...((Object.keys(error.members).length > 0 || REPEATABLE.has(error.code)) && { unstored: true as const }),
    bytes: JSON.stringify(problemBody(error, place)),
  };
}

/** The problem as text of a whole HTTP answer, for connections without a response object. */
export function rawProblem(error: ServiceError, place: ProblemPlace): string {
  const body = JSON.stringify(problemBody(error, place));
  const headers = {
    ...error.headers,
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'x-correlation-id': place.correlationId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}

function titleOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
