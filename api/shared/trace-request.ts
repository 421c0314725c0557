/**
 * Makes a span for each request that reaches the app, when tracing is on. The span is named by the route's template and holds no
 * text of the caller. Work that the request starts, in Temporal too, belongs to the same trace. Called by the listener.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tracing } from '../../platform/tracing/tracing.ts';
import { findRequestContext } from './request-context.ts';

/** Monitoring asks for these every few seconds. */
const NOT_TRACED = /^\/(health|metrics)(\/|\?|$)/;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function traceRequest(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
  const current = tracing();
  if (!current || NOT_TRACED.test(request.url ?? '')) {
    handle();
    return;
  }
  const { method = '', headers } = request;
  const span = current.serve({ method: METHODS.has(method) ? method : 'OTHER', headers }, handle);
  const end = () => {
    const context = findRequestContext(request);
    span.end({
      route: context?.route,
      operation: context?.operationId,
      status: response.statusCode,
      code: context?.errorCode,
      correlationId: context?.correlationId,
    });
  };
  if (response.closed) end();
  else response.once('close', end);
}
