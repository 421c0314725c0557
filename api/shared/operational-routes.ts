/** Routes of every HTTP process: health, metrics, OpenAPI documents. They hold no private data and need no token. */
import { liveReply, readyReply } from '../../platform/process/health.ts';
import type { Readiness } from '../../platform/process/readiness.ts';
import { ApiDocs } from './api-docs.ts';
import type { Endpoint } from './endpoint.ts';
import type { Reply } from './operation.ts';
import { presentError } from './present-error.ts';
import type { RequestContext } from './request-context.ts';
import type { RouteTable } from './routes.ts';

export interface OperationalRouteOptions {
  readonly readiness: Readiness;
  readonly registry: { readonly contentType: string; readonly metrics: () => Promise<string> };
  readonly isStopping: () => boolean;
}

export function addOperationalRoutes(table: RouteTable, options: OperationalRouteOptions): void {
  const { readiness, registry, isStopping } = options;
  const add = (name: string, path: string, reply: (context: RequestContext) => Promise<Reply>) =>
    table.add('GET', path, guarded(name, reply));
  add('healthLive', '/health/live', async () => liveReply());
  add('healthReady', '/health/ready', async () => readyReply(await readiness.states(), isStopping()));
  add('metrics', '/metrics', async () => ({
    status: 200,
    headers: { 'content-type': registry.contentType },
    bytes: await registry.metrics(),
  }));
  const docs = new ApiDocs(table.areas);
  add('apiDocsIndex', '/api-docs', async (context) => docs.replyOfIndex(context));
  for (const area of table.areas) {
    add('apiDocs', `/api-docs/${area.name}`, async (context) => docs.replyOf(context, area));
  }
}

function guarded(name: string, reply: (context: RequestContext) => Promise<Reply>): Endpoint {
  return async (context) => {
    context.operationId = name;
    try {
      return await reply(context);
    } catch (error) {
      return presentError(context, error);
    }
  };
}
