/**
 * Clients of the authentication server: their documents, and what the stores of this folder return of them. Callers:
 * these stores, the operations in api/auth, `npm run client`. Only the stores handle `ClientDocument`.
 */
import type { JWK } from 'jose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

/** The claims of a token come from these. */
export interface ClientRecord {
  readonly clientId: string;
  readonly name: string;
  readonly organisationId: number;
  readonly codespaces: readonly string[];
  readonly scopes: readonly string[];
}

/** All of a client that may be shown. */
export interface ClientDetails extends ClientRecord {
  readonly disabledAt: Date | undefined;
  readonly createdAt: Date;
  /** Live secrets, oldest first, without their values. */
  readonly secrets: readonly { readonly id: string; readonly createdAt: Date; readonly expiresAt?: Date }[];
  /** Public keys that its assertions are verified with. */
  readonly jwks: readonly JWK[];
  /** False when it was written without the service: it gets no token. */
  readonly isTrusted: boolean;
}

export interface NewClient {
  readonly name: string;
  readonly organisationId: number;
  readonly codespaces: readonly string[];
  readonly scopes: readonly string[];
}

export interface SecretDocument {
  readonly id: string;
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
}

/** A client has no events: the change of a client concerns no other area. */
export interface ClientDocument extends AggregateDocument {
  readonly name: string;
  readonly organisationId: number;
  readonly codespaces: readonly string[];
  readonly scopes: readonly string[];
  readonly secrets: readonly SecretDocument[];
  readonly jwks?: readonly JWK[];
  /** Proves that the service wrote it (client-mac.ts). */
  readonly mac?: string;
  readonly disabledAt?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** A deleted client keeps its id, no secrets and these instants, until its last token has expired. */
  readonly deletedAt?: Date;
  readonly removeAt?: Date;
}

export const CLIENTS = new CollectionDefinition<ClientDocument>('clients', [
  ...AGGREGATE_INDEXES,
  { name: 'inOrder', key: { createdAt: 1, _id: 1 } },
  { name: 'disabled', key: { disabledAt: 1 }, sparse: true },
  { name: 'removal', key: { removeAt: 1 }, expireAfterSeconds: 0 },
]);

export function toRecord({ _id, name, organisationId, codespaces, scopes }: ClientDocument): ClientRecord {
  return { clientId: _id, name, organisationId, codespaces, scopes };
}

export function toDetails(document: ClientDocument, now: Date, isTrusted: boolean): ClientDetails {
  return {
    ...toRecord(document),
    disabledAt: document.disabledAt,
    createdAt: document.createdAt,
    secrets: liveSecrets(document, now).map(({ hash: _, ...shown }) => shown),
    jwks: document.jwks ?? [],
    isTrusted,
  };
}

export function liveSecrets({ secrets }: Pick<ClientDocument, 'secrets'>, now: Date): readonly SecretDocument[] {
  return secrets.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
}
