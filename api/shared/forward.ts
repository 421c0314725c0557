/**
 * Forwards requests to another process of the service, so that one base URL serves all. The library httpxy sends them and streams
 * the answers back over keep-alive connections. Called by the API for the journey planner, where no proxy routes. Never parses a
 * body; answers itself only when the body does not arrive (408) or the other process does not answer (503).
 */
import { Agent, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import express, { type Request, type Router } from 'express';
import { createProxyServer, type ProxyServer } from 'httpxy';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { endToEnd, requestHeaders } from './forwarded-headers.ts';
import { presentError } from './present-error.ts';
import { ReadAhead } from './read-ahead.ts';
import { hasBody } from './request-body.ts';
import { getRequestContext, type RequestContext } from './request-context.ts';
import { sendReply } from './send.ts';
import { BODY_TIMEOUT_MS } from './slow-body.ts';
import { noteOtherRequest } from './stream-pace.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

export interface ForwardOptions {
  /** Base URL of the other process, without a path. */
  readonly url: string;
  /** Forwards these paths and all below them. */
  readonly prefixes: readonly string[];
  /** The operation in logs and metrics. */
  readonly name: string;
  /** Their `X-Forwarded-Proto` is believed. */
  readonly trustedProxies: TrustedProxies;
  /** Shorter in tests. */
  readonly bodyTimeoutMs?: number;
}

export interface Forwarding {
  readonly router: Router;
  close(): void;
}

/** More than one caller may have open (`MAX_OPEN_REQUESTS_PER_ADDRESS`): further requests wait for a connection. */
const MAX_CONNECTIONS = 1_000;
/** Ends requests to a process that hangs. Its own limits for answering are shorter. */
const SILENCE_MS = 60_000;
/** More than the largest GraphQL request. */
const READ_AHEAD_BYTES = 131_072;
/** A third of what the process has for itself. */
const HELD_BYTES = 67_108_864;

export function createForwarding(options: ForwardOptions): Forwarding {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, scheduling: 'lifo' });
  const proxy = createProxy(options.url, agent);
  const readAhead = new ReadAhead({
    limitBytes: READ_AHEAD_BYTES,
    timeoutMs: options.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
    heldBytes: HELD_BYTES,
  });
  const router = express.Router({ caseSensitive: true });
  router.use([...options.prefixes], async (request) => {
    const context = getRequestContext(request);
    context.operationId = options.name;
    noteOtherRequest();
    try {
      await forward(request, context, { proxy, readAhead, trustedProxies: options.trustedProxies });
    } catch (error) {
      await answerFailure(context, error);
    }
  });
  return { router, close: () => agent.destroy() };
}

function createProxy(url: string, agent: Agent): ProxyServer {
  const { hostname, port } = new URL(url);
  const target = { protocol: 'http:', hostname: hostname.replace(/^\[|\]$/g, ''), port: port || '80' };
  const proxy = createProxyServer({ target, agent, proxyTimeout: SILENCE_MS });
  // Before the library copies the headers of the answer.
  proxy.on('proxyRes', (answer, _request, response) => {
    const connection = staysOpen(response) ? 'keep-alive' : 'close';
    answer.headers = { ...endToEnd(answer.headers), connection };
  });
  // No upgrade is forwarded, so this is a fault of the other process. The library would wait for an answer.
  proxy.on('proxyReq', (outgoing, _request, response) => {
    outgoing.once('upgrade', (_answer, socket) => {
      socket.destroy();
      response.destroy();
    });
  });
  return proxy;
}

/** False when the caller asked to close the connection, or this process drains. */
function staysOpen(response: ServerResponse): boolean {
  return response.shouldKeepAlive && response.getHeader('connection') !== 'close';
}

interface Upstream {
  readonly proxy: ProxyServer;
  readonly readAhead: ReadAhead;
  readonly trustedProxies: TrustedProxies;
}

async function forward(
  request: Request,
  context: RequestContext,
  { proxy, readAhead, trustedProxies }: Upstream,
): Promise<void> {
  const { response, signal } = context;
  const body = hasBody(request) ? await readBody(context, readAhead) : undefined;
  if (body instanceof Readable) body.once('error', () => response.destroy());
  signal.addEventListener('abort', () => response.destroy(), { once: true });
  if (signal.aborted) return;
  const whole = Buffer.isBuffer(body) ? body : undefined;
  // The library sends what the request holds.
  request.headers = requestHeaders(context, trustedProxies, whole?.length);
  request.url = pathAndQuery(request.originalUrl);
  const source = whole ? Readable.from([whole], { objectMode: false }) : body;
  await proxy.web(request, response, source instanceof Readable ? { buffer: source } : {});
}

async function readBody(context: RequestContext, readAhead: ReadAhead): Promise<Buffer | Readable> {
  context.sendContinue?.();
  context.sendContinue = undefined;
  return await readAhead.read(context);
}

/** The target may be a whole URL (RFC 9112 §3.2.2); the path has matched, so it is one. */
function pathAndQuery(target: string): string {
  if (target.startsWith('/')) return target;
  const { pathname, search } = new URL(target);
  return `${pathname}${search}`;
}

/** After the head of the answer is sent, the connection can only be closed. */
async function answerFailure(context: RequestContext, error: unknown): Promise<void> {
  const { response, signal, log } = context;
  if (response.headersSent || signal.aborted) {
    log.info({ err: error }, 'a forwarded request was cut off');
    response.destroy();
    return;
  }
  await sendReply(context, presentError(context, error instanceof ServiceError ? error : unavailable(error)));
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('UNAVAILABLE', 'This part of the service is not available. Try again shortly.', {
    cause,
    headers: { 'retry-after': '2' },
  });
}
