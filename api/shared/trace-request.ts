/**
 * A span for each request that reaches the app, where traces are wanted; named by the route's template, so it holds nothing that a
 * caller has chosen. Caller: the listener. What the request leads to, in Temporal too, belongs to the same trace.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tracing } from '../../platform/tracing/tracing.ts';
import { findRequestContext } from './request-context.ts';

/** Asked every few seconds by whoever watches the process. */
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
