/**
 * The area of `/admin/clients`, by which the operator administers clients, on an internal listener. A secret is in the
 * answer that creates it and in no other. Logs each change with client, caller and address, never a secret.
 */
import type { IncomingMessage } from 'node:http';
import type { JWK } from 'jose';
import { findKeyFault, plainKey } from '../../activities/auth/client-jwks.ts';
import { findForbiddenScopes } from '../../activities/auth/client-scopes.ts';
import type { ClientStore } from '../../activities/auth/client-store.ts';
import type { ClientDetails, NewClient } from '../../activities/auth/client-types.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import { type ErrorItem, ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, Finds, Handlers, OperationContext, TypedArea } from '../shared/operation.ts';
import type { Operations, Schemas } from './clients.contract.gen.ts';

export interface ClientOperationOptions {
  readonly clients: ClientStore;
  /** How long the old secret stays valid after a new one is made. */
  readonly overlapSeconds: number;
  /** The caller's address, behind trusted proxies. */
  readonly addressOf: (request: IncomingMessage) => string;
}

type ShownKey = Schemas['Key'];

const PATH = '/admin/clients';
const DEFAULT_PER_PAGE = 25;

export function createClientsArea(options: ClientOperationOptions): TypedArea<Operations> {
  return {
    name: 'auth-admin',
    document: new URL('./clients.openapi.yaml', import.meta.url),
    operations: createClientOperations(options),
    finds: createClientFinds(options),
  };
}

function createClientOperations(options: ClientOperationOptions): Handlers<Operations> {
  const { clients, overlapSeconds, addressOf } = options;
  const note = (
    { log, correlationId, request }: Pick<OperationContext, 'log' | 'correlationId' | 'request'>,
    what: string,
    clientId: string,
  ): void => {
    log.info({ clientId, correlationId, address: addressOf(request) }, what);
  };
  return {
    createClient: async (context) => {
      const given = { codespaces: [], ...context.body };
      refuseForbiddenScopes(given, context.caller);
      const { client, secret } = await clients.create(given);
      note(context, 'client created', client.clientId);
      return created(`${PATH}/${client.clientId}`, { ...presentClient(client), client_secret: secret });
    },
    listClients: async ({ query }) => {
      const { page = 1, perPage = DEFAULT_PER_PAGE } = query;
      const { items, totalItems } = await clients.list(page, perPage);
      return { status: 200, json: toSearchPage({ page, perPage }, items.map(presentClient), totalItems) };
    },
    getClient: async (context) => ({ status: 200, json: presentClient(await clients.get(context.path.clientId)) }),
    addSecret: async (context) => {
      const clientId = context.path.clientId;
      const { secretId, secret } = await clients.addSecret(clientId, overlapSeconds);
      note(context, 'secret added', clientId);
      const json = { secretId, client_secret: secret };
      return created(`${PATH}/${encodeURIComponent(clientId)}/secrets/${secretId}`, json);
    },
    deleteSecret: async (context) => {
      await clients.removeSecret(context.path.clientId, context.path.secretId);
      note(context, 'secret deleted', context.path.clientId);
      return { status: 204 };
    },
    replaceKeys: async (context) => {
      const { keys } = context.body;
      refuseUnfitKeys(keys);
      const { jwks } = await clients.setJwks(context.path.clientId, keys.map(plainKey));
      note(context, 'keys replaced', context.path.clientId);
      return { status: 200, json: { keys: jwks.map(presentKey) } };
    },
    disableClient: async (context) => {
      const client = await clients.disable(context.path.clientId);
      note(context, 'client disabled', client.clientId);
      return { status: 200, json: presentClient(client) };
    },
    enableClient: async (context) => {
      const client = await clients.enable(context.path.clientId);
      note(context, 'client enabled', client.clientId);
      return { status: 200, json: presentClient(client) };
    },
    deleteClient: async (context) => {
      await clients.delete(context.path.clientId);
      note(context, 'client deleted', context.path.clientId);
      return { status: 204 };
    },
  };
}

function createClientFinds({ clients }: Pick<ClientOperationOptions, 'clients'>): Finds<Operations> {
  const client = async ({ path }: { readonly path: { readonly clientId: string } }) => await clients.get(path.clientId);
  return {
    getClient: client,
    deleteClient: client,
    addSecret: client,
    deleteSecret: async ({ path }) => await clients.requireSecret(path.clientId, path.secretId),
    replaceKeys: client,
    disableClient: client,
    enableClient: client,
  };
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

function presentClient({ clientId, disabledAt, createdAt, secrets, jwks, isTrusted, ...shown }: ClientDetails) {
  return {
    client_id: clientId,
    ...shown,
    createdAt: createdAt.toISOString(),
    secrets: secrets.map((secret) => ({
      id: secret.id,
      createdAt: secret.createdAt.toISOString(),
      expiresAt: secret.expiresAt?.toISOString(),
    })),
    disabled: disabledAt !== undefined,
    disabledAt: disabledAt?.toISOString(),
    jwks: { keys: jwks.map(presentKey) },
    trusted: isTrusted,
  };
}

const KEY_TYPES: readonly ShownKey['kty'][] = ['RSA', 'EC', 'OKP'];

function presentKey(key: JWK): JWK & Pick<ShownKey, 'kty'> {
  const kty = KEY_TYPES.find((type) => type === key.kty);
  if (kty === undefined) throw new Error('A key of another type than can be registered is stored');
  return { ...key, kty };
}

function created<Json>(location: string, json: Json) {
  return { status: 201 as const, headers: { location, 'cache-control': 'no-store' }, json };
}
