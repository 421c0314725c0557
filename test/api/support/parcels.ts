/** A small area without a store, for tests of the HTTP base. Tests can replace each of its handlers. */
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { type AppOptions, createApp } from '../../../api/shared/app.ts';
import type { Area, Caller, Find, Operation } from '../../../api/shared/operation.ts';
import { type RunningServer, type ServeOptions, serve } from '../../../api/shared/serve.ts';
import { makeDocument } from '../../../dev/contract/documents.ts';
import { createLog } from '../../../platform/log.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';

const DOCUMENT = new URL('./parcels.openapi.yaml', import.meta.url);
// Each of many starts would compile every schema.
makeDocument('parcels', DOCUMENT);

const handlers: Record<string, Operation> = {
  open: async (context) => ({ status: 200, json: { correlationId: context.correlationId } }),
  searchParcels: async (context) => ({ status: 200, json: context.search }),
  createParcel: async (context) => ({ status: 200, json: { body: context.body, query: context.query } }),
  getParcel: async (context) => ({
    status: 200,
    headers: { 'content-type': context.accepted ?? '' },
    bytes: context.accepted === 'application/json' ? JSON.stringify(context.path) : String(context.accepted),
  }),
  patchParcel: async (context) => ({ status: 200, json: { body: context.body } }),
  deleteParcel: async () => ({ status: 204 }),
  searchLabels: async (context) => ({ status: 200, json: context.search }),
  createLabel: async (context) => ({ status: 200, json: { body: context.body } }),
  getPhoto: async () => ({
    status: 200,
    headers: { 'content-type': 'image/png' },
    stream: Readable.from([Buffer.from('one'), Buffer.from('two')]),
  }),
  putPhoto: async (context) => {
    let sizeBytes = 0;
    for await (const chunk of context.request as AsyncIterable<Buffer>) sizeBytes += chunk.length;
    return { status: 200, json: { sizeBytes } };
  },
};

export function parcelsArea(replaced: Record<string, Operation> = {}, finds: Record<string, Find> = {}): Area {
  return {
    name: 'parcels',
    finds,
    document: DOCUMENT,
    operations: { ...handlers, ...replaced },
  };
}

/** Replaces the token check where a test does not need it: the token is `client/organisation/scope,scope`. */
export async function readPlainToken(context: {
  readonly request: { readonly headers: { readonly authorization?: string | undefined } };
}): Promise<Caller> {
  const match = /^Bearer (\w+)\/(\d+)\/(\S*)$/.exec(context.request.headers.authorization ?? '');
  if (!match) throw new ServiceError('MISSING_TOKEN', 'An access token is needed.');
  return {
    clientId: match[1] ?? '',
    organisationId: Number(match[2]) as OrganisationId,
    scopes: new Set((match[3] ?? '').split(',')),
    codespaces: new Set(['*']),
    tokenExpiresAtMs: Number.POSITIVE_INFINITY,
  };
}

export const TOKEN = { authorization: 'Bearer tester/1/parcels:read,parcels:write' };

export const silentLog = pino({ level: 'silent' });

export interface TestServer extends RunningServer {
  /** The parsed lines of the log. */
  readonly logged: Record<string, unknown>[];
}

export async function startParcels(
  options: Partial<AppOptions> & {
    replaced?: Record<string, Operation>;
    finds?: Record<string, Find>;
    graceMs?: number;
    limits?: NonNullable<ServeOptions['limits']>;
    /** Options other than host, port and the two above. */
    listen?: Partial<ServeOptions>;
  } = {},
): Promise<TestServer> {
  const { replaced, finds, graceMs = 1_000, limits = {}, listen, ...appOptions } = options;
  const logged: Record<string, unknown>[] = [];
  const log = createLog({
    level: 'debug',
    name: 'test',
    destination: { write: (line: string) => void logged.push(JSON.parse(line)) },
  });
  const app = createApp({ areas: [parcelsArea(replaced, finds)], log, verifyToken: readPlainToken, ...appOptions });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs, limits, ...listen });
  return { ...server, logged };
}
