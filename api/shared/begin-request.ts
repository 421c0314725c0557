/**
 * Makes the context of each request before any check: correlation id, log, abort signal, common headers. When the answer has
 * ended, it writes one log line and one measurement. Refuses nothing.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../platform/log.ts';
import { loggedPath } from './logged-path.ts';
import type { HttpMetrics } from './metrics.ts';
import { attachRequestContext, type RequestContext } from './request-context.ts';
import { endUnreadBody } from './slow-body.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CLIENT_NAME_MAX = 100;

/** A request not yet answered. */
export interface RunningRequest {
  readonly response: ServerResponse;
  readonly abort: AbortController;
}

export interface BeginRequestOptions {
  readonly log: Logger;
  readonly headerPrefix: string;
  readonly metrics: HttpMetrics;
  readonly state: { readonly stopping: boolean; readonly running: Set<RunningRequest> };
}

const expectingContinue = new WeakSet<IncomingMessage>();

/** Called by the listener for a request with `Expect: 100-continue`, before the app sees it. */
export function markExpectsContinue(request: IncomingMessage): void {
  expectingContinue.add(request);
}

export function beginRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: BeginRequestOptions,
): RequestContext {
  const { metrics, state } = options;
  const given = request.headers['x-correlation-id'];
  const accepted = given === undefined || (typeof given === 'string' && UUID.test(given));
  const correlationId = typeof given === 'string' && accepted ? given.toLowerCase() : randomUUID();
  const abort = new AbortController();
  const context: RequestContext = {
    request,
    response,
    correlationId,
    correlationIdAccepted: accepted,
    path: pathOf(request.url ?? '/'),
    startedAt: performance.now(),
    log: options.log.child({ requestId: correlationId }),
    caller: undefined,
    route: undefined,
    operationId: undefined,
    errorCode: undefined,
    refusedByLimit: false,
    sendContinue: expectingContinue.has(request) ? () => response.writeContinue() : undefined,
    signal: abort.signal,
  };
  attachRequestContext(context);
  response.setHeader('x-correlation-id', correlationId);
  response.setHeader('x-content-type-options', 'nosniff');
  if (state.stopping) closeConnectionAfter(response);
  endUnreadBody(request, response);
  metrics.requestStarted();
  const running = { response, abort };
  state.running.add(running);
  const clientName = request.headers[`${options.headerPrefix.toLowerCase()}-client-name`];
  response.once('close', () => {
    state.running.delete(running);
    if (!response.writableFinished) abort.abort(new Error('The caller closed the connection'));
    const seconds = (performance.now() - context.startedAt) / 1000;
    metrics.requestEnded({
      operation: context.operationId ?? 'none',
      route: context.route ?? '',
      method: request.method ?? '',
      status: response.statusCode,
      code: context.errorCode,
      seconds,
    });
    writeLine(context, typeof clientName === 'string' ? clientName : undefined, seconds);
  });
  return context;
}

/** Does nothing once the head of the answer is sent: it has already said whether the connection stays. */
export function closeConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** Without the query, which may hold personal data. */
function pathOf(target: string): string {
  const [path = '/'] = target.split('?');
  return path.startsWith('/') ? path : (URL.parse(path)?.pathname ?? path);
}

/** Express notes it at a request that one of its routers answers, as in the journey planner. */
function routeOfRouter(request: IncomingMessage): string | undefined {
  const route = 'route' in request ? request.route : undefined;
  const path = typeof route === 'object' && route !== null && 'path' in route ? route.path : undefined;
  return typeof path === 'string' ? path : undefined;
}

function writeLine(context: RequestContext, clientName: string | undefined, seconds: number): void {
  const { request, response, log } = context;
  const level = /^\/(health|metrics)/.test(context.path) ? 'debug' : 'info';
  log[level](
    {
      method: request.method,
      path: loggedPath(context.path, context.route ?? routeOfRouter(request)),
      operation: context.operationId,
      status: response.statusCode,
      ...(context.errorCode === undefined ? {} : { code: context.errorCode }),
      durationMs: Math.round(seconds * 1000),
      ...(clientName === undefined ? {} : { clientName: clientName.slice(0, CLIENT_NAME_MAX) }),
      ...(response.writableFinished ? {} : { cut: true }),
    },
    'request',
  );
}
