/**
 * Clients of the authentication server: who they are, what they may ask for, the fingerprints of their secrets, their public
 * keys. Callers: the operations of `/admin/clients`, `npm run client`, the authentication of clients, the local stack. Answers a
 * secret only to whom it makes it for. Every change is one conditional write.
 */
import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import type { Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { ClientSecrets } from './client-secrets.ts';
import { CLIENTS, type ClientDetails, type ClientDocument, type NewClient, toDetails } from './client-types.ts';
import { DISABLED_KEPT_MS } from './disabled-clients.ts';

/** As the local stack writes it to its list of development clients. */
export interface EnsuredClient extends NewClient {
  readonly client_id: string;
  readonly client_secret: string;
}

export interface MadeSecret {
  readonly secretId: string;
  readonly secret: string;
}

/** So that a secret can be replaced without a pause, and no forgotten one lives on beside them. */
export const MOST_SECRETS = 2;
/** Of a deleted client only a mark is kept: to the store it is not there. */
const PRESENT = { deletedAt: { $exists: false } };

export class ClientStore {
  readonly #connection: Connection;
  readonly #clients: mongo.Collection<ClientDocument>;
  readonly #secrets: ClientSecrets;
  readonly #now: () => Date;

  /** `secretKey`: the 32 bytes of `CLIENT_SECRET_KEY`. */
  constructor(connection: Connection, secretKey: Uint8Array, now: () => Date = () => new Date()) {
    this.#connection = connection;
    this.#clients = CLIENTS.open(connection);
    this.#secrets = new ClientSecrets(secretKey);
    this.#now = now;
  }

  /** Once at start of a process. */
  async ensureIndexes(): Promise<void> {
    await CLIENTS.ensureIndexes(this.#connection);
  }

  async create(given: NewClient): Promise<{ readonly client: ClientDetails } & MadeSecret> {
    const now = this.#now();
    const { secret, kept } = this.#secrets.make(now);
    const { name, organisationId } = given;
    const lists = { codespaces: [...given.codespaces], scopes: [...given.scopes] };
    const times = { createdAt: now, updatedAt: now };
    const document = { _id: randomUUID(), name, organisationId, ...lists, secrets: [kept], ...times };
    await this.#clients.insertOne(document);
    return { client: toDetails(document, now), secretId: kept.id, secret };
  }

  /** Makes or changes a client so that it is exactly as given, with this one secret. Safe to run twice, and two at once. */
  async ensureClient(given: EnsuredClient): Promise<void> {
    const now = this.#now();
    const update = {
      $set: {
        name: given.name,
        organisationId: given.organisationId,
        codespaces: [...given.codespaces],
        scopes: [...given.scopes],
        secrets: [this.#secrets.keep(given.client_secret, now)],
        updatedAt: now,
      },
      $unset: { disabledAt: 1, deletedAt: 1, removeAt: 1 } as const,
      $setOnInsert: { createdAt: now },
    };
    try {
      await this.#clients.updateOne({ _id: given.client_id }, update, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Two upserts met: the other one inserted, so this one is now a plain change.
      await this.#clients.updateOne({ _id: given.client_id }, update);
    }
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
   * The secret before it then lives for `overlapSeconds` more. INVALID_STATE while two live: a third would end one that is in
   * use, which its owner must say.
   */
  async addSecret(clientId: string, overlapSeconds: number): Promise<MadeSecret> {
    const now = this.#now();
    const { secret, kept } = this.#secrets.make(now);
    const live = { $filter: { input: '$secrets', cond: { $gt: [{ $ifNull: ['$$this.expiresAt', FOREVER] }, now] } } };
    const ending = { expiresAt: { $ifNull: ['$$this.expiresAt', new Date(now.getTime() + overlapSeconds * 1000)] } };
    const older = { $map: { input: live, in: { $mergeObjects: ['$$this', ending] } } };
    const { matchedCount } = await this.#clients.updateOne(
      { _id: clientId, ...PRESENT, $expr: { $lt: [{ $size: live }, MOST_SECRETS] } },
      [{ $set: { secrets: { $concatArrays: [older, [kept]] }, updatedAt: now } }],
    );
    if (matchedCount === 1) return { secretId: kept.id, secret };
    await this.get(clientId);
    throw new ServiceError('INVALID_STATE', `The client has ${MOST_SECRETS} live secrets; delete one first.`);
  }

  /** Gone at once, whatever its overlap. */
  async removeSecret(clientId: string, secretId: string): Promise<void> {
    const update = { $pull: { secrets: { id: secretId } }, $set: { updatedAt: this.#now() } };
    const { matchedCount } = await this.#clients.updateOne(
      { _id: clientId, ...PRESENT, 'secrets.id': secretId },
      update,
    );
    if (matchedCount === 0) throw new ServiceError('NOT_FOUND', 'There is no such secret.');
  }

  /** In place of those before; none: the client has no key. */
  async setJwks(clientId: string, keys: readonly JWK[]): Promise<ClientDetails> {
    return await this.#change(clientId, { $set: { jwks: [...keys], updatedAt: this.#now() } });
  }

  /** No new tokens at once; live ones are refused as soon as the API knows (disabled-clients.ts). */
  async disable(clientId: string): Promise<ClientDetails> {
    const now = this.#now();
    return await this.#change(clientId, [{ $set: { disabledAt: { $ifNull: ['$disabledAt', now] }, updatedAt: now } }]);
  }

  async enable(clientId: string): Promise<ClientDetails> {
    return await this.#change(clientId, { $unset: { disabledAt: 1 }, $set: { updatedAt: this.#now() } });
  }

  /** What the client was is gone; its id is remembered until no token of it can live. */
  async delete(clientId: string): Promise<void> {
    const now = this.#now();
    const mark = { deletedAt: now, disabledAt: now, removeAt: new Date(now.getTime() + DISABLED_KEPT_MS) };
    const { matchedCount } = await this.#clients.updateOne({ _id: clientId, ...PRESENT }, [
      { $replaceWith: { _id: '$_id', secrets: [], ...mark } },
    ]);
    if (matchedCount === 0) throw noSuchClient();
  }

  async #change(clientId: string, update: mongo.UpdateFilter<ClientDocument> | object[]): Promise<ClientDetails> {
    const changed = await this.#clients.findOneAndUpdate({ _id: clientId, ...PRESENT }, update, {
      returnDocument: 'after',
    });
    if (!changed) throw noSuchClient();
    return toDetails(changed, this.#now());
  }
}

const FOREVER = new Date('9999-12-31T00:00:00Z');

function noSuchClient(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such client.');
}
