/**
 * Opens the ports of an app and closes them gracefully. First it drains (every answer closes its connection), then it
 * takes no new connections. Running requests end within the grace period; it aborts the rest. Takes up a changed
 * certificate without closing a connection.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Express } from 'express';
import { type AppState, getAppState } from './app-state.ts';
import { closeConnectionAfter } from './begin-request.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { LIMITS, type Listener, openListener } from './listener.ts';
import type { TlsCertificate } from './tls-certificate.ts';

export interface ServeOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly graceMs: number;
  /**
   * How long requests are still accepted after `close`, each answer closing its connection. Closing an idle connection while the
   * proxy reuses it loses that request; during the drain the proxy uses up its idle connections. Default 0.
   */
  readonly drainMs?: number;
  /** Releases long polls. Called once the listener closes; earlier, clients would reconnect at once. */
  readonly onListenerClosed?: () => Promise<void>;
  /** With a certificate the port speaks TLS only. */
  readonly certificate?: TlsCertificate;
  /** A second port without TLS; only with a certificate. */
  readonly plainPort?: number;
  /** For each port. */
  readonly connections?: ConnectionLimits;
  /** Shorter in tests. */
  readonly limits?: Partial<typeof LIMITS>;
  /** How often the certificate's files are read. Shorter in tests. */
  readonly certificateCheckMs?: number;
}

export interface RunningServer {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Base URL of the plain port next to the TLS port. */
  readonly plainUrl: string | undefined;
  /** Reads the certificate's files now; undefined without a certificate. */
  readonly reload: (() => void) | undefined;
  close(): Promise<void>;
}

/** Cheap: two small files. Operators replace a certificate days before it expires. */
const CERTIFICATE_CHECK_MS = 10_000;
/** Time for handlers to answer after their requests were aborted. */
const ABORT_ANSWER_MS = 500;

export async function serve(app: Express, options: ServeOptions): Promise<RunningServer> {
  const { certificate, connections, host, plainPort } = options;
  const state = getAppState(app);
  const limits = { ...LIMITS, ...options.limits };
  const main = await openListener(app, { host, port: options.port, limits, connections, certificate });
  const listeners = [main];
  let plain: Listener | undefined;
  if (certificate && plainPort !== undefined) {
    try {
      plain = await openListener(app, { host, port: plainPort, limits, connections });
      listeners.push(plain);
    } catch (error) {
      main.server.close();
      throw error;
    }
  }
  const reload = () => {
    if (!certificate?.refresh(state.log)) return;
    main.useCertificate(certificate);
    state.log.info({ validTo: certificate.validTo }, 'a new TLS certificate is in use');
  };
  const checks = certificate && setInterval(reload, options.certificateCheckMs ?? CERTIFICATE_CHECK_MS);
  checks?.unref();
  const urlOf = (scheme: string, { port }: Listener) =>
    `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  let closing: Promise<void> | undefined;
  return {
    url: urlOf(certificate ? 'https' : 'http', main),
    plainUrl: plain && urlOf('http', plain),
    reload: certificate && reload,
    close: async () => {
      clearInterval(checks);
      closing ??= stop(listeners, state, options);
      await closing;
    },
  };
}

async function stop(
  listeners: readonly Listener[],
  state: AppState,
  { graceMs, drainMs = 0, onListenerClosed = async () => {} }: ServeOptions,
): Promise<void> {
  state.stopping = true;
  for (const { response } of state.running) closeConnectionAfter(response);
  if (drainMs > 0) await delay(drainMs);
  const servers = listeners.map(({ server }) => server);
  const closed = Promise.all(
    servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve()))),
  );
  // Connections become idle one by one as their requests end, and Node closes only those that are idle at close().
  const idleCheck = setInterval(() => {
    for (const server of servers) server.closeIdleConnections();
  }, 50);
  const hardStop = new AbortController();
  const aborted = delay(graceMs, undefined, { signal: hardStop.signal }).then(
    async () => {
      for (const { abort } of state.running) abort.abort(new Error('The process stops'));
      await Promise.race([closed, delay(ABORT_ANSWER_MS)]);
      for (const { sockets } of listeners) for (const socket of sockets) socket.destroy();
    },
    () => {},
  );
  const ended = closed.finally(() => {
    hardStop.abort();
    clearInterval(idleCheck);
  });
  await Promise.all([onListenerClosed(), ended, aborted]);
}
