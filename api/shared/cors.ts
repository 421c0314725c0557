/** CORS: only the origins of the documentation pages get `Access-Control-*` headers. Called once for each request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Reply } from './operation.ts';

const EXPOSED = 'X-Correlation-Id, ETag, Location, Retry-After, Idempotency-Replayed, Deprecation, Sunset, Link';
const PREFLIGHT_SECONDS = '600';

/** Sets the headers for an allowed origin. Returns the answer to a preflight, undefined for all other requests. */
export function applyCors(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: ReadonlySet<string>,
): Reply | undefined {
  const { origin } = request.headers;
  const preflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (allowed.size > 0) response.appendHeader('vary', 'Origin');
  if (origin === undefined || !allowed.has(origin)) {
    if (origin !== undefined && preflight) {
      throw new ServiceError(
        'ORIGIN_FORBIDDEN',
        'Browser pages of this origin have no access. Call the service from a server.',
      );
    }
    return undefined;
  }
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED);
  if (!preflight) return undefined;
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
      'access-control-max-age': PREFLIGHT_SECONDS,
    },
  };
}
