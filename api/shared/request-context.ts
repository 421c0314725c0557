/**
 * The request context: one request and its answer with ids, log, caller and start time. Every step of the HTTP base takes it;
 * Express handlers look it up by the request object. Knows no area.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { ErrorCode } from '../../workflows/shared/error-codes.ts';
import type { Caller } from './operation.ts';

export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly correlationId: string;
  /** False when the caller sent an id that is not a UUID. `correlationId` is then a new one. */
  readonly correlationIdAccepted: boolean;
  /** Path as sent, without the query: the `instance` of a problem. */
  readonly path: string;
  readonly startedAt: number;
  log: Logger;
  caller: Caller | undefined;
  /** Template of the path that matched, `/a/{b}`. */
  route: string | undefined;
  /** Used by log and metrics; undefined until a route matched. */
  operationId: string | undefined;
  /** Set when the answer is an error. */
  errorCode: ErrorCode | undefined;
  /** True when a limit refused the request; see late-refusals.ts. */
  refusedByLimit: boolean;
  /** Set while the client waits for `100 Continue`. Calling it asks for the body. */
  sendContinue: (() => void) | undefined;
  readonly signal: AbortSignal;
}

/** A property of the request, not a WeakMap: V8 frees entries of a WeakMap only with its old generation. */
const REQUEST_CONTEXT = Symbol('request context');

type Remembering = IncomingMessage & { [REQUEST_CONTEXT]?: RequestContext };

export function attachRequestContext(context: RequestContext): void {
  (context.request as Remembering)[REQUEST_CONTEXT] = context;
}

/** Undefined in an app that createApp did not make, as in a test of one router. */
export function findRequestContext(request: IncomingMessage): RequestContext | undefined {
  return (request as Remembering)[REQUEST_CONTEXT];
}

export function getRequestContext(request: IncomingMessage): RequestContext {
  const context = findRequestContext(request);
  if (!context) throw new Error('The request has no context: the app was not made by createApp');
  return context;
}
