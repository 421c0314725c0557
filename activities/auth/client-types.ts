/**
 * What the authentication server keeps of a client. Users: the stores of this folder, the operations in api/auth, `npm run client`.
 * `ClientDocument` is the collection's own form; nothing but its stores handles it.
 */
import type { JWK } from 'jose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

/** What a token is made of. */
export interface ClientRecord {
  readonly clientId: string;
  readonly name: string;
  readonly organisationId: number;
  readonly codespaces: readonly string[];
  readonly scopes: readonly string[];
}

/** All that may be shown of a client. */
export interface ClientDetails extends ClientRecord {
  readonly disabledAt: Date | undefined;
  readonly createdAt: Date;
  /** Live ones, oldest first, without the secrets themselves. */
  readonly secrets: readonly { readonly id: string; readonly createdAt: Date; readonly expiresAt?: Date }[];
  /** Public keys that its assertions are verified with. */
  readonly jwks: readonly JWK[];
}

export interface NewClient {
  readonly name: string;
  readonly organisationId: number;
  readonly codespaces: readonly string[];
  readonly scopes: readonly string[];
}

export interface SecretDocument {
  id: string;
  hash: string;
  createdAt: Date;
  expiresAt?: Date;
}

export interface ClientDocument {
  _id: string;
  name: string;
  organisationId: number;
  codespaces: string[];
  scopes: string[];
  secrets: SecretDocument[];
  jwks?: JWK[];
  disabledAt?: Date;
  createdAt: Date;
  updatedAt: Date;
  /** Of a deleted client only id and this are kept, until its last token has run out. */
  deletedAt?: Date;
  removeAt?: Date;
}

export const CLIENTS = new CollectionDefinition<ClientDocument>('clients', [
  { name: 'inOrder', key: { createdAt: 1, _id: 1 } },
  { name: 'disabled', key: { disabledAt: 1 }, sparse: true },
  { name: 'removal', key: { removeAt: 1 }, expireAfterSeconds: 0 },
]);

export function toRecord({ _id, name, organisationId, codespaces, scopes }: ClientDocument): ClientRecord {
  return { clientId: _id, name, organisationId, codespaces, scopes };
}

export function toDetails(document: ClientDocument, now: Date): ClientDetails {
  return {
    ...toRecord(document),
    disabledAt: document.disabledAt,
    createdAt: document.createdAt,
    secrets: liveSecrets(document, now).map(({ hash: _, ...shown }) => shown),
    jwks: document.jwks ?? [],
  };
}

export function liveSecrets({ secrets }: Pick<ClientDocument, 'secrets'>, now: Date): readonly SecretDocument[] {
  return secrets.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
}
