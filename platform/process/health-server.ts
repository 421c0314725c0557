/** Health and metrics of a worker, on a port of its own: no caller but operators and their probes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { watchDependencies } from '../metrics/dependency-metrics.ts';
import type { SdkMetrics } from '../temporal/sdk-metrics.ts';
import { type HealthCheck, liveReply, readyReply } from './health.ts';
import { Readiness } from './readiness.ts';

export interface HealthServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly checks: Readonly<Record<string, HealthCheck>>;
  readonly registry: Registry;
  /** Shown after the registry's. */
  readonly sdkMetrics?: SdkMetrics;
}

export interface HealthServer {
  readonly url: string;
  /** Reports the process as not ready from now on: it takes no new work. */
  markStopping(): void;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export async function serveHealth(options: HealthServerOptions): Promise<HealthServer> {
  let stopping = false;
  const readiness = new Readiness(options.checks);
  watchDependencies(options.registry, readiness);
  const server = createServer((request, response) => {
    answer({ ...options, readiness, stopping }, request.method ?? '', request.url ?? '').then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    markStopping: () => {
      stopping = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Known extends HealthServerOptions {
  readonly readiness: Readiness;
  readonly stopping: boolean;
}

async function answer(known: Known, method: string, url: string): Promise<Answer> {
  if (method !== 'GET' && method !== 'HEAD') return json(405, { status: 'method not allowed' });
  const { pathname } = new URL(url, 'http://worker');
  if (pathname === '/health/live') return json(200, liveReply().json);
  if (pathname === '/metrics') {
    const texts = await Promise.all([known.registry.metrics(), known.sdkMetrics?.read() ?? '']);
    return { status: 200, type: known.registry.contentType, body: texts.join('\n') };
  }
  if (pathname !== '/health/ready') return json(404, { status: 'not found' });
  const reply = readyReply(await known.readiness.states(), known.stopping);
  return json(reply.status, reply.json);
}

function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}
