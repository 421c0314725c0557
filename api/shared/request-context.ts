/**
 * One request and its answer, as every step of the HTTP base sees it: ids, log, who calls, when it began. Made once at
 * the door, found again by the request object. Knows nothing of areas.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { ErrorCode } from '../../workflows/shared/error-codes.ts';
import type { Caller } from './operation.ts';

export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly correlationId: string;
  /** False when the caller sent one that is not a UUID, so that a new one stands here. */
  readonly correlationIdAccepted: boolean;
  /** Path without query, as sent: what `instance` of a problem shows. */
  readonly path: string;
  readonly startedAt: number;
  log: Logger;
  caller: Caller | undefined;
  /** Template of the path that matched, `/a/{b}`. */
  route: string | undefined;
  /** For log and metrics; undefined until a route matched. */
  operationId: string | undefined;
  /** Of the error the request was answered with. */
  errorCode: ErrorCode | undefined;
  /** Present when the client waits for `100 Continue`; calling it lets the body come. */
  sendContinue: (() => void) | undefined;
  readonly signal: AbortSignal;
}

/** On the request itself: what a WeakMap holds lives, and all it refers to, until V8 collects its old generation. */
const REQUEST_CONTEXT = Symbol('request context');

type Remembering = IncomingMessage & { [REQUEST_CONTEXT]?: RequestContext };

export function attachRequestContext(context: RequestContext): void {
  (context.request as Remembering)[REQUEST_CONTEXT] = context;
}

/** Undefined in an app without the entry step, as a router's test has it. */
export function findRequestContext(request: IncomingMessage): RequestContext | undefined {
  return (request as Remembering)[REQUEST_CONTEXT];
}

export function getRequestContext(request: IncomingMessage): RequestContext {
  const context = findRequestContext(request);
  if (!context) throw new Error('The request has passed no entry step');
  return context;
}

/** Values of a header as sent, one per line. Node joins or drops repeated ones. */
export function headerLines(request: IncomingMessage, name: string): readonly string[] {
  const lines: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === name) lines.push(request.rawHeaders[index + 1] ?? '');
  }
  return lines;
}
