/** The routes every HTTP process has: health, metrics, the documents of its areas. No token; they tell nothing private. */

import { type HealthCheck, liveReply, readyReply } from '../../platform/process/health.ts';
import { docsReply } from './api-docs.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './operation.ts';
import { presentError } from './present-error.ts';
import type { RouteTable } from './routes.ts';

export interface BuiltInOptions {
  readonly health: Readonly<Record<string, HealthCheck>>;
  readonly registry: { readonly contentType: string; readonly metrics: () => Promise<string> };
  readonly isStopping: () => boolean;
}

export function addBuiltIns(table: RouteTable, options: BuiltInOptions): void {
  const { health, registry, isStopping } = options;
  const add = (name: string, path: string, reply: (exchange: Exchange) => Promise<Reply>) =>
    table.add('GET', path, guarded(name, reply));
  add('healthLive', '/health/live', async () => liveReply());
  add('healthReady', '/health/ready', async () => await readyReply(health, isStopping()));
  add('metrics', '/metrics', async () => ({
    status: 200,
    headers: { 'content-type': registry.contentType },
    bytes: await registry.metrics(),
  }));
  for (const area of table.areas) {
    add('apiDocs', `/api-docs/${area.name}`, async (exchange) => docsReply(exchange, area.document));
  }
}

function guarded(name: string, reply: (exchange: Exchange) => Promise<Reply>): Endpoint {
  return async (exchange) => {
    exchange.operationId = name;
    try {
      return await reply(exchange);
    } catch (error) {
      return presentError(exchange, error);
    }
  };
}
