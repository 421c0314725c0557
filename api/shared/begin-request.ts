/**
 * The first step of each request: correlation id, log, abort signal, common headers, and at the end one log line and one
 * measurement. Nothing is refused here.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../platform/log.ts';
import { loggedPath } from './logged-path.ts';
import type { HttpMetrics } from './metrics.ts';
import { attachRequestContext, type RequestContext } from './request-context.ts';

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

const waiting = new WeakSet<IncomingMessage>();

/** Called by the server when a caller sent `Expect: 100-continue`, before the app sees the request. */
export function markExpectsContinue(request: IncomingMessage): void {
  waiting.add(request);
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
    sendContinue: waiting.has(request) ? () => response.writeContinue() : undefined,
    signal: abort.signal,
  };
  attachRequestContext(context);
  response.setHeader('x-correlation-id', correlationId);
  response.setHeader('x-content-type-options', 'nosniff');
  if (state.stopping) closeConnectionAfter(response);
  metrics.requestStarted();
  const running = { response, abort };
  state.running.add(running);
  const clientName = request.headers[`${options.headerPrefix.toLowerCase()}-client-name`];
  response.once('close', () => {
    state.running.delete(running);
    if (!response.writableFinished) abort.abort(new Error('The caller has gone away'));
    const seconds = (performance.now() - context.startedAt) / 1000;
    metrics.requestEnded({
      ...{ operation: context.operationId ?? 'none', route: context.route ?? '', method: request.method ?? '' },
      ...{ status: response.statusCode, code: context.errorCode, seconds },
    });
    writeLine(context, typeof clientName === 'string' ? clientName : undefined, seconds);
  });
  return context;
}

/** Not where the head of the answer is on its way: it has said what becomes of the connection. */
export function closeConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** Without the query, which may hold what is nobody's business. */
function pathOf(target: string): string {
  const [path = '/'] = target.split('?');
  return path.startsWith('/') ? path : (URL.parse(path)?.pathname ?? path);
}

function writeLine(context: RequestContext, clientName: string | undefined, seconds: number): void {
  const { request, response, log } = context;
  const level = /^\/(health|metrics)/.test(context.path) ? 'debug' : 'info';
  log[level](
    {
      method: request.method,
      path: loggedPath(context.path, context.route),
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
