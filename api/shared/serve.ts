/**
 * Opens the port for an app, with TLS where there is a certificate and then with a plain port beside it if wanted, and closes gracefully:
 * where a proxy stands before it a moment in which every answer ends its connection, then no new connections; running requests end within
 * the grace period, what still runs then is cut. A certificate that has changed is taken
 * up without closing a connection.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Express } from 'express';
import { type AppState, getAppState } from './app-state.ts';
import { closeConnectionAfter } from './begin-request.ts';
import { LIMITS, type Listener, openListener } from './listener.ts';
import type { TlsCertificate } from './tls-certificate.ts';

export interface ServeOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly graceMs: number;
  /**
   * How long requests are still taken after it was told to stop, each answered with the end of its connection. A proxy's idle connections
   * are used up so: one that is closed just as a request is sent into it costs that request, which may not be sent again. Default 0.
   */
  readonly drainMs?: number;
  /** Called when no more requests are taken: whoever waits for what may never come is to be answered, or the server would wait for them. */
  readonly onListenerClosed?: () => Promise<void>;
  /** With it the port speaks TLS and nothing else. */
  readonly certificate?: TlsCertificate;
  /** A second port, without TLS; only beside a certificate. */
  readonly plainPort?: number;
  /** Shorter in tests. */
  readonly limits?: Partial<typeof LIMITS>;
  /** How often the certificate's files are looked at; shorter in tests. */
  readonly certificateCheckMs?: number;
}

export interface RunningServer {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Of the plain port beside the one with TLS. */
  readonly plainUrl: string | undefined;
  /** Looks at the certificate's files now; there is nothing to look at without. */
  readonly reload: (() => void) | undefined;
  close(): Promise<void>;
}

/** Reading two small files; a certificate is replaced days before it ends. */
const CERTIFICATE_CHECK_MS = 10_000;
/** After requests were aborted, the time their handlers get to answer. */
const LAST_CHANCE_MS = 500;

export async function serve(app: Express, options: ServeOptions): Promise<RunningServer> {
  const { certificate, host, plainPort } = options;
  const state = getAppState(app);
  const limits = { ...LIMITS, ...options.limits };
  const main = await openListener(app, { host, port: options.port, limits, certificate });
  const listeners = [main];
  let plain: Listener | undefined;
  if (certificate && plainPort !== undefined) {
    try {
      plain = await openListener(app, { host, port: plainPort, limits });
      listeners.push(plain);
    } catch (error) {
      main.server.close();
      throw error;
    }
  }
  const reload = () => {
    if (!certificate?.refresh(state.log)) return;
    main.useCertificate(certificate);
    state.log.info({ validTo: certificate.validTo }, 'another TLS certificate is in use');
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
  // Connections become idle one by one as their requests end.
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections();
  }, 50);
  const hardStop = new AbortController();
  const late = delay(graceMs, undefined, { signal: hardStop.signal }).then(
    async () => {
      for (const { abort } of state.running) abort.abort(new Error('The process stops'));
      await Promise.race([closed, delay(LAST_CHANCE_MS)]);
      for (const { sockets } of listeners) for (const socket of sockets) socket.destroy();
    },
    () => {},
  );
  const ended = closed.finally(() => {
    hardStop.abort();
    clearInterval(sweep);
  });
  await Promise.all([onListenerClosed(), ended, late]);
}
