/**
 * Opens one port for an app, with or without TLS: limits on slow and silent peers, and answers to requests that never reach the
 * app. Called by `serve`, which opens one or two ports and closes them.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { type AppState, getAppState } from './app-state.ts';
import { markExpectsContinue } from './begin-request.ts';
import { type ConnectionLimits, limitConnections } from './connection-limits.ts';
import { rawProblem } from './problem.ts';
import type { TlsCertificate } from './tls-certificate.ts';
import { traceRequest } from './trace-request.ts';
import { endSocket, refuseMethod, wireProblem } from './wire-errors.ts';

export const LIMITS = {
  headersTimeoutMs: 15_000,
  /** Whole request: the largest upload at 0.4 Mbit/s. JSON bodies have a shorter limit of their own. */
  requestTimeoutMs: 3_600_000,
  /** No byte in either direction. Longer than any handler works before it answers. */
  silenceTimeoutMs: 120_000,
  /** Longer than common proxies keep idle connections: they close first and never send into a closing connection. */
  keepAliveTimeoutMs: 65_000,
  handshakeTimeoutMs: 10_000,
  /** Short, so that few time out at the same moment. */
  checkIntervalMs: 200,
};

const MAX_HEADER_BYTES = 16_384;
const MAX_HEADERS = 100;

export interface Listener {
  readonly server: Server | TlsServer;
  readonly port: number;
  /** All open connections, also those still in the TLS handshake, which Node does not close. */
  readonly sockets: ReadonlySet<Socket>;
  /** New connections use this certificate. Open ones keep theirs. */
  readonly useCertificate: (certificate: TlsCertificate) => void;
}

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly limits: typeof LIMITS;
  /** Without it any number of connections is taken. */
  readonly connections?: ConnectionLimits | undefined;
  /** Without it the port speaks plain HTTP. */
  readonly certificate?: TlsCertificate | undefined;
}

export async function openListener(app: Express, options: ListenerOptions): Promise<Listener> {
  const { host, certificate, limits } = options;
  const httpOptions: ServerOptions = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The app answers a missing Host. Node would answer without a body.
    requireHostHeader: false,
  };
  const tls = certificate
    ? createTlsServer({ ...httpOptions, ...certificate.options, handshakeTimeout: limits.handshakeTimeoutMs })
    : undefined;
  const server = tls ?? createServer(httpOptions);
  server.maxHeadersCount = MAX_HEADERS;
  server.setTimeout(limits.silenceTimeoutMs);
  if (options.connections) limitConnections(server, options.connections);
  answerRequests(server, app);
  const sockets = rememberSockets(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, sockets, useCertificate: (next) => tls?.setSecureContext(next.options) };
}

function rememberSockets(server: Server | TlsServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function answerRequests(server: Server | TlsServer, app: Express): void {
  const state = getAppState(app);
  const answering = new WeakMap<object, ServerResponse>();
  const ending = new WeakSet<Socket>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (ending.has(request.socket)) {
      request.socket.destroy();
      return;
    }
    if (request.headers.upgrade !== undefined) {
      // Node ignores the upgrade and loses what follows in the same read: the rest would pass for another request.
      ending.add(request.socket);
      response.shouldKeepAlive = false;
    }
    answering.set(request.socket, response);
    traceRequest(request, response, () => app(request, response));
  };
  server.on('request', handle);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const open = answering.get(socket);
    // Write nothing when an answer has begun, since it would become part of its body, or before TLS is established.
    if ((open?.headersSent && !open.writableFinished) || isHandshakeError(error, socket)) {
      state.log.debug({ err: error }, 'a connection was cut');
      socket.destroy();
      return;
    }
    const response = wireProblem(error, allowedOn(socket, state));
    // Timeouts come by the thousand when the service is attacked, and metrics of the proxy count them.
    const level = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'debug' : 'info';
    state.log[level]({ err: error, status: response.slice(9, 12) }, 'the parser refused a request');
    endSocket(socket, response);
  });
  server.on('connect', (request, socket) => {
    const place = { instance: '/', correlationId: randomUUID() };
    endSocket(socket, rawProblem(refuseMethod(request.url ?? '', allowedOn(socket, state)), place));
  });
  server.on('checkContinue', (request, response) => {
    markExpectsContinue(request);
    handle(request, response);
  });
  // RFC 9110 lets a server ignore any other expectation than 100-continue.
  server.on('checkExpectation', handle);
}

function isHandshakeError({ code = '' }: NodeJS.ErrnoException, socket: Duplex): boolean {
  return 'encrypted' in socket && !/^(HPE_|ERR_HTTP_)/.test(code);
}

function allowedOn(socket: Duplex, { allowedFor, https }: AppState): AppState['allowedFor'] {
  const plain = https?.allowedOn(socket as Socket);
  return plain ? () => plain : allowedFor;
}
