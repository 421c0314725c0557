/**
 * Clients of the authentication server: their rights, the hashes of their secrets, their public keys. Callers: the operations of
 * `/admin/clients`, `npm run client`, the local stack. Answers a secret once, to the caller that it is made for. Every change
 * goes through the aggregate kit.
 */
import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import type { Connection, mongo } from 'mongoose';
import type { AggregateBusy } from '../../platform/aggregate/aggregate-busy.ts';
import type { Members } from '../../platform/aggregate/aggregate-document.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { ClientSecrets } from './client-secrets.ts';
import {
  CLIENTS,
  type ClientDetails,
  type ClientDocument,
  liveSecrets,
  type NewClient,
  toDetails,
} from './client-types.ts';
import { DISABLED_KEPT_MS } from './disabled-clients.ts';

/** A client as the local stack writes it to its list of development clients. */
export interface EnsuredClient extends NewClient {
  readonly client_id: string;
  readonly client_secret: string;
}

export interface MadeSecret {
  readonly secretId: string;
  readonly secret: string;
}

/** Two allow replacing a secret without a pause. More would let a forgotten secret live on. */
export const MOST_SECRETS = 2;
/** Every method treats a deleted client as absent. */
const PRESENT = { deletedAt: { $exists: false } };

export class ClientStore {
  readonly #connection: Connection;
  readonly #clients: mongo.Collection<ClientDocument>;
  readonly #aggregates: Aggregates<ClientDocument>;
  readonly #secrets: ClientSecrets;
  readonly #now: () => Date;

  /** `secretKey`: the 32 bytes of `CLIENT_SECRET_KEY`. */
  constructor(connection: Connection, secretKey: Uint8Array, now: () => Date = () => new Date()) {
    this.#connection = connection;
    this.#clients = CLIENTS.open(connection);
    this.#aggregates = new Aggregates<ClientDocument>({ collection: this.#clients, now, busy: toUnavailable });
    this.#secrets = new ClientSecrets(secretKey);
    this.#now = now;
  }

  /** Called once when a process starts. */
  async ensureIndexes(): Promise<void> {
    await CLIENTS.ensureIndexes(this.#connection);
  }

  async create({
    name,
    organisationId,
    codespaces,
    scopes,
  }: NewClient): Promise<{ client: ClientDetails } & MadeSecret> {
    const now = this.#now();
    const { secret, kept } = this.#secrets.make(now);
    const rights = { name, organisationId, codespaces: [...codespaces], scopes: [...scopes] };
    const content = { _id: randomUUID(), ...rights, secrets: [kept], createdAt: now, updatedAt: now };
    const { document } = await this.#aggregates.create(content, creationOf(content._id), {});
    return { client: toDetails(document, now), secretId: kept.id, secret };
  }

  /**
   * Creates or changes a client so that it is exactly as given, with this one secret. Safe to run twice, and two at
   * once.
   */
  async ensureClient({ client_id: clientId, client_secret: secret, ...given }: EnsuredClient): Promise<void> {
    const now = this.#now();
    const { name, organisationId, codespaces, scopes } = given;
    const rights = { name, organisationId, codespaces: [...codespaces], scopes: [...scopes] };
    const content = { ...rights, secrets: [this.#secrets.keep(secret, now)], updatedAt: now };
    const present = { disabledAt: undefined, deletedAt: undefined, removeAt: undefined };
    const change = async () =>
      await this.#aggregates.change({ filter: () => ({ _id: clientId }) }, workOn(clientId), ({ document }) => ({
        set: { ...content, ...present, createdAt: document.createdAt ?? now },
      }));
    if (await change()) return;
    const created = { _id: clientId, ...content, createdAt: now };
    const { outcome } = await this.#aggregates.create(created, creationOf(clientId), {});
    // Another process has just created it, maybe with other rights.
    if (outcome === 'REPEATED') await change();
  }

  async list(page: number, perPage: number): Promise<{ items: readonly ClientDetails[]; totalItems: number }> {
    const found = this.#clients.find(PRESENT).sort({ createdAt: 1, _id: 1 });
    const [documents, totalItems] = await Promise.all([
      found
        .skip((page - 1) * perPage)
        .limit(perPage)
        .toArray(),
      this.#clients.countDocuments(PRESENT),
    ]);
    return { items: documents.map((each) => toDetails(each, this.#now())), totalItems };
  }

  async get(clientId: string): Promise<ClientDetails> {
    const found = await this.#clients.findOne({ _id: clientId, ...PRESENT });
    if (!found) throw noSuchClient();
    return toDetails(found, this.#now());
  }

  /**
   * Older secrets live for at most `overlapSeconds` more. Throws INVALID_STATE while two live: a third would end one
   * that is in use, and only its owner can decide that.
   */
  async addSecret(clientId: string, overlapSeconds: number): Promise<MadeSecret> {
    const now = this.#now();
    const { secret, kept } = this.#secrets.make(now);
    const overlapEnd = new Date(now.getTime() + overlapSeconds * 1_000);
    await this.#change(clientId, (client) => {
      const live = liveSecrets(client, now);
      if (live.length >= MOST_SECRETS) {
        throw new ServiceError('INVALID_STATE', `The client has ${MOST_SECRETS} live secrets; delete one first.`);
      }
      return { secrets: [...live.map((each) => ({ ...each, expiresAt: each.expiresAt ?? overlapEnd })), kept] };
    });
    return { secretId: kept.id, secret };
  }

  /** Takes effect at once, whatever the overlap. */
  async removeSecret(clientId: string, secretId: string): Promise<void> {
    await this.#change(
      clientId,
      ({ secrets }) => {
        if (!secrets.some(({ id }) => id === secretId)) throw noSuchSecret();
        return { secrets: secrets.filter(({ id }) => id !== secretId) };
      },
      noSuchSecret,
    );
  }

  /** Replaces the keys. With none, the client has no key. */
  async setJwks(clientId: string, keys: readonly JWK[]): Promise<ClientDetails> {
    return await this.#change(clientId, () => ({ jwks: [...keys] }));
  }

  /** Stops new tokens at once; live ones are refused as soon as the API knows (disabled-clients.ts). */
  async disable(clientId: string): Promise<ClientDetails> {
    const now = this.#now();
    return await this.#change(clientId, ({ disabledAt }) => ({ disabledAt: disabledAt ?? now }));
  }

  async enable(clientId: string): Promise<ClientDetails> {
    return await this.#change(clientId, () => ({ disabledAt: undefined }));
  }

  /** Removes everything but the id, which stays until the client's last token has expired. */
  async delete(clientId: string): Promise<void> {
    const now = this.#now();
    const rights = { name: undefined, organisationId: undefined, codespaces: undefined, scopes: undefined };
    const rest = { jwks: undefined, createdAt: undefined, updatedAt: undefined };
    const mark = { deletedAt: now, disabledAt: now, removeAt: new Date(now.getTime() + DISABLED_KEPT_MS) };
    await this.#change(clientId, () => ({ secrets: [], ...rights, ...rest, ...mark }));
  }

  /** Throws what `absent` makes when there is no such client. */
  async #change(
    clientId: string,
    decide: (client: ClientDocument) => Members<ClientDocument>,
    absent: () => ServiceError = noSuchClient,
  ): Promise<ClientDetails> {
    const updatedAt = this.#now();
    const place = { filter: () => ({ _id: clientId, ...PRESENT }) };
    const changed = await this.#aggregates.change(place, workOn(clientId), ({ document }) => ({
      set: { updatedAt, ...decide(document) },
    }));
    if (!changed) throw absent();
    return toDetails(changed.document, updatedAt);
  }
}

/** No work id is needed: a repeated change has the same result, or the state after the first one refuses it. */
function workOn(clientId: string) {
  return { correlationId: clientId };
}

function creationOf(clientId: string) {
  return { workId: clientId, correlationId: clientId };
}

function toUnavailable({ retryAfterSeconds, message }: AggregateBusy): ServiceError {
  return new ServiceError('UNAVAILABLE', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

function noSuchClient(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such client.');
}

function noSuchSecret(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such secret.');
}
