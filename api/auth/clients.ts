/**
 * The operations of `/admin/clients`, by which the operator administers clients. A secret is in the answer that creates it and in no
 * other. Logs each change with client, caller and address, never a secret.
 */
import type { IncomingMessage } from 'node:http';
import type { JWK } from 'jose';
import { findKeyFault, plainKey } from '../../activities/auth/client-jwks.ts';
import { findForbiddenScopes } from '../../activities/auth/client-scopes.ts';
import type { ClientStore } from '../../activities/auth/client-store.ts';
import type { ClientDetails, NewClient } from '../../activities/auth/client-types.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import { type ErrorItem, ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, Find, Operation, OperationContext, Reply } from '../shared/operation.ts';
import { requireCaller } from '../shared/require-caller.ts';

export interface ClientOperationOptions {
  readonly clients: ClientStore;
  /** How long the old secret stays valid beside a new one. */
  readonly overlapSeconds: number;
  /** The caller's address, behind trusted proxies. */
  readonly addressOf: (request: IncomingMessage) => string;
}

const PATH = '/admin/clients';
const DEFAULT_PER_PAGE = 25;

export function createClientOperations(options: ClientOperationOptions): Readonly<Record<string, Operation>> {
  const { clients, overlapSeconds, addressOf } = options;
  const note = ({ log, correlationId, request }: OperationContext, what: string, clientId: string): void => {
    log.info({ clientId, correlationId, address: addressOf(request) }, what);
  };
  return {
    createClient: async (context) => {
      const given = { codespaces: [], ...(context.body as Omit<NewClient, 'codespaces'> & Partial<NewClient>) };
      refuseForbiddenScopes(given, requireCaller(context));
      const { client, secret } = await clients.create(given);
      note(context, 'client created', client.clientId);
      return created(`${PATH}/${client.clientId}`, { ...presentClient(client), client_secret: secret });
    },
    listClients: async ({ query }) => {
      const { page = 1, perPage = DEFAULT_PER_PAGE } = query as { page?: number; perPage?: number };
      const { items, totalItems } = await clients.list(page, perPage);
      return { status: 200, json: toSearchPage({ page, perPage }, items.map(presentClient), totalItems) };
    },
    getClient: async (context) => ({ status: 200, json: presentClient(await clients.get(clientIdOf(context))) }),
    addSecret: async (context) => {
      const clientId = clientIdOf(context);
      const { secretId, secret } = await clients.addSecret(clientId, overlapSeconds);
      note(context, 'secret added', clientId);
      const json = { secretId, client_secret: secret };
      return created(`${PATH}/${encodeURIComponent(clientId)}/secrets/${secretId}`, json);
    },
    deleteSecret: async (context) => {
      await clients.removeSecret(clientIdOf(context), context.path.secretId ?? '');
      note(context, 'secret deleted', clientIdOf(context));
      return { status: 204 };
    },
    replaceKeys: async (context) => {
      const { keys } = context.body as { keys: readonly JWK[] };
      refuseUnfitKeys(keys);
      const { jwks } = await clients.setJwks(clientIdOf(context), keys.map(plainKey));
      note(context, 'keys replaced', clientIdOf(context));
      return { status: 200, json: { keys: jwks } };
    },
    disableClient: async (context) => {
      const client = await clients.disable(clientIdOf(context));
      note(context, 'client disabled', client.clientId);
      return { status: 200, json: presentClient(client) };
    },
    enableClient: async (context) => {
      const client = await clients.enable(clientIdOf(context));
      note(context, 'client enabled', client.clientId);
      return { status: 200, json: presentClient(client) };
    },
    deleteClient: async (context) => {
      await clients.delete(clientIdOf(context));
      note(context, 'client deleted', clientIdOf(context));
      return { status: 204 };
    },
  };
}

export function createClientFinds({
  clients,
}: Pick<ClientOperationOptions, 'clients'>): Readonly<Record<string, Find>> {
  return { replaceKeys: async (context) => await clients.get(clientIdOf(context)) };
}

/** Only the operator may write clients, so the caller's organisation is the operator. */
function refuseForbiddenScopes({ organisationId, scopes }: NewClient, caller: Caller): void {
  if (organisationId === caller.organisationId) return;
  const forbidden = findForbiddenScopes(scopes);
  const errors = forbidden.map(({ index, reason }) => ({ pointer: `/scopes/${index}`, code: 'SCOPE', detail: reason }));
  refuse('The client cannot be given these scopes.', errors);
}

function refuseUnfitKeys(keys: readonly JWK[]): void {
  const errors = keys.flatMap((_, index) => {
    const detail = findKeyFault(keys, index);
    return detail === undefined ? [] : [{ pointer: `/keys/${index}`, code: 'KEY', detail }];
  });
  refuse('Not every key can be used.', errors);
}

function refuse(detail: string, errors: readonly ErrorItem[]): void {
  if (errors.length > 0) throw new ServiceError('VALIDATION_FAILED', detail, { errors, status: 422 });
}

function presentClient({ clientId, disabledAt, jwks, ...shown }: ClientDetails): Record<string, unknown> {
  return {
    client_id: clientId,
    ...shown,
    disabled: disabledAt !== undefined,
    ...(disabledAt && { disabledAt }),
    jwks: { keys: jwks },
  };
}

function created(location: string, json: Record<string, unknown>): Reply {
  return { status: 201, headers: { location, 'cache-control': 'no-store' }, json };
}

function clientIdOf({ path }: Pick<OperationContext, 'path'>): string {
  return path.clientId ?? '';
}
