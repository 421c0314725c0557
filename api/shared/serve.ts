/**
 * Opens the port for an app and closes it gracefully: no new connections, running requests end within the grace period,
 * what still runs then is cut. Limits slow and silent peers.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Express } from 'express';
import { type AppState, getAppState } from './app.ts';
import { markExpectsContinue } from './entry.ts';
import { rawProblem } from './problem.ts';
import { endSocket, refuseMethod, wireProblem } from './wire-errors.ts';

const LIMITS = {
  headersTimeoutMs: 15_000,
  /** Whole request: an upload of the largest size over a line of 0.4 Mbit/s. JSON bodies have a shorter limit of their own. */
  requestTimeoutMs: 3_600_000,
  /** Neither side has moved a byte. Longer than any handler works without answering. */
  silenceTimeoutMs: 120_000,
  /** Longer than the idle time of common proxies, so that they close first and never send into a closing connection. */
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 5_000,
};

export interface ServeOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly graceMs: number;
  /** Shorter in tests. */
  readonly limits?: Partial<typeof LIMITS>;
}

export interface RunningServer {
  /** Base URL without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 16_384;
const MAX_HEADERS = 100;
/** After requests were aborted, the time their handlers get to answer. */
const LAST_CHANCE_MS = 500;

export async function serve(app: Express, options: ServeOptions): Promise<RunningServer> {
  const state = getAppState(app);
  const limits = { ...LIMITS, ...options.limits };
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The app answers a missing Host itself: Node would do it without a body.
    requireHostHeader: false,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.setTimeout(limits.silenceTimeoutMs);
  answerRequests(server, app, state);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host}:${port}`,
    close: async () => {
      closing ??= stop(server, state, options.graceMs);
      await closing;
    },
  };
}

function answerRequests(server: Server, app: Express, state: AppState): void {
  const answering = new WeakMap<object, ServerResponse>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response);
    app(request, response);
  };
  server.on('request', handle);
  server.on('clientError', (error, socket) => {
    const open = answering.get(socket);
    // In the middle of an answer another one would be read as its body.
    if (open?.headersSent && !open.writableFinished) {
      socket.destroy();
      return;
    }
    const response = wireProblem(error, state.allowedFor);
    state.log.info({ err: error, status: response.slice(9, 12) }, 'not a request');
    endSocket(socket, response);
  });
  server.on('connect', (request, socket) => {
    const place = { instance: '/', correlationId: randomUUID() };
    endSocket(socket, rawProblem(refuseMethod(request.url ?? '', state.allowedFor), place));
  });
  server.on('checkContinue', (request, response) => {
    markExpectsContinue(request);
    handle(request, response);
  });
  // Another expectation than 100-continue: RFC 9110 lets a server ignore it.
  server.on('checkExpectation', handle);
}

async function stop(server: Server, state: AppState, graceMs: number): Promise<void> {
  state.stopping = true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Connections become idle one by one as their requests end.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const hardStop = new AbortController();
  const late = delay(graceMs, undefined, { signal: hardStop.signal }).then(
    async () => {
      for (const running of state.running) running.abort(new Error('The process stops'));
      await Promise.race([closed, delay(LAST_CHANCE_MS)]);
      server.closeAllConnections();
    },
    () => {},
  );
  await closed.finally(() => {
    hardStop.abort();
    clearInterval(sweep);
  });
  await late;
}
