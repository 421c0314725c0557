/**
 * Forwards requests to another process of the service, so that one base URL serves all. Streams both ways over keep-alive
 * connections. Called by the API for the journey planner. Never reads a body; answers itself (503) only when the other process
 * does not.
 */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as startRequest } from 'node:http';
import { pipeline } from 'node:stream/promises';
import express, { type Router } from 'express';
import { tracing } from '../../platform/tracing/tracing.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { presentError } from './present-error.ts';
import { getRequestContext, type RequestContext } from './request-context.ts';
import { sendReply } from './send.ts';
import { isSecure, type TrustedProxies } from './trusted-proxies.ts';

export interface ForwardOptions {
  /** Base URL of the other process, without a path. */
  readonly url: string;
  /** Forwards these paths and all below them. */
  readonly prefixes: readonly string[];
  /** The operation in logs and metrics. */
  readonly name: string;
  /** Their `X-Forwarded-Proto` is believed. */
  readonly trustedProxies: TrustedProxies;
}

export interface Forwarding {
  readonly router: Router;
  close(): void;
}

/** Headers of one connection (RFC 9110 §7.6.1). Headers that `Connection` names are not forwarded either. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
const MAX_CONNECTIONS = 256;
/** Ends requests to a process that hangs. Its own limits for answering are shorter. */
const SILENCE_MS = 60_000;

export function createForwarding({ url, prefixes, name, trustedProxies }: ForwardOptions): Forwarding {
  const target = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, scheduling: 'lifo' });
  const router = express.Router({ caseSensitive: true });
  router.use([...prefixes], async (request) => {
    const context = getRequestContext(request);
    context.operationId = name;
    try {
      await forward(context, { target, agent, trustedProxies });
    } catch (error) {
      await answerUnavailable(context, error);
    }
  });
  return { router, close: () => agent.destroy() };
}

interface Upstream {
  readonly target: URL;
  readonly agent: Agent;
  readonly trustedProxies: TrustedProxies;
}

async function forward(context: RequestContext, upstream: Upstream): Promise<void> {
  const { request, response, signal } = context;
  const answer = await sendUpstream(context, upstream);
  try {
    response.statusCode = answer.statusCode ?? 502;
    response.statusMessage = answer.statusMessage ?? '';
    for (const [header, value] of endToEnd(answer.headers)) response.setHeader(header, value);
    if (request.method === 'HEAD') {
      answer.resume();
      response.end();
    } else {
      await pipeline(answer, response, { signal });
    }
  } catch (error) {
    answer.destroy();
    throw error;
  }
}

/** Resolves with the head of the answer. The body of the request may still be arriving then. */
async function sendUpstream(
  context: RequestContext,
  { target, agent, trustedProxies }: Upstream,
): Promise<IncomingMessage> {
  const { request, signal } = context;
  const outgoing = startRequest({
    agent,
    host: target.hostname.replace(/^\[|\]$/g, ''),
    port: target.port || 80,
    signal,
    method: request.method ?? 'GET',
    path: request.url?.startsWith('/') ? originalUrl(request) : '/',
    headers: requestHeaders(context, trustedProxies),
    setHost: false,
  });
  outgoing.setTimeout(SILENCE_MS, () => outgoing.destroy(new Error('no answer in time')));
  context.sendContinue?.();
  context.sendContinue = undefined;
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  // A body that breaks off ends the forwarded request too. An answer may arrive before the body has ended.
  pipeline(request, outgoing).catch(() => undefined);
  return await answered;
}

/** Express removes the prefix of a router from `url`. */
function originalUrl(request: IncomingMessage): string {
  return (request as IncomingMessage & { originalUrl?: string }).originalUrl ?? request.url ?? '/';
}

function requestHeaders(
  { request, correlationId }: RequestContext,
  trustedProxies: TrustedProxies,
): Record<string, string | string[]> {
  const headers = Object.fromEntries(endToEnd(request.headers));
  const { remoteAddress = '' } = request.socket;
  const before = request.headers['x-forwarded-for'];
  headers['x-forwarded-for'] = before === undefined ? remoteAddress : `${before}, ${remoteAddress}`;
  // The other process trusts this one, so a caller's own header must not reach it.
  headers['x-forwarded-proto'] = isSecure(request, trustedProxies) ? 'https' : 'http';
  if (request.headers.host !== undefined) headers['x-forwarded-host'] ??= request.headers.host;
  headers['x-correlation-id'] = correlationId;
  tracing()?.inject(headers);
  // The length is unknown, so the body is forwarded in chunks, as it arrives.
  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  return headers;
}

function endToEnd(headers: IncomingHttpHeaders): [string, string | string[]][] {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || HOP_BY_HOP.has(name) || named.has(name) ? [] : [[name, value]],
  );
}

/** After the head of the answer is sent, the connection can only be closed. */
async function answerUnavailable(context: RequestContext, error: unknown): Promise<void> {
  const { response, signal, log } = context;
  if (response.headersSent || signal.aborted) {
    log.info({ err: error }, 'a forwarded request was cut off');
    response.destroy();
    return;
  }
  const unavailable = new ServiceError('UNAVAILABLE', 'This part of the service is not available. Try again shortly.', {
    cause: error,
    headers: { 'retry-after': '2' },
  });
  await sendReply(context, presentError(context, unavailable));
}
