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
import { ClientMac } from './client-mac.ts';
import { ClientSecrets } from './client-secrets.ts';
import {
  CLIENTS,
  type ClientDetails,
  type ClientDocument,
  liveSecrets,
  type NewClient,
  toDetails,
} from './client-types.ts';
import { DISABLED_KEPT_MS } from './disabled-list.ts';
import { DisabledListStore } from './disabled-list-store.ts';

/** A client as the local stack writes it to its list of development clients. */
export interface EnsuredClient extends NewClient {
  readonly client_id: string;
  readonly client_secret: string;
}

export interface MadeSecret {
  readonly secretId: string;
  readonly secret: string;
}

interface ChangeRule {
  readonly absent?: () => ServiceError;
  /**
   * Applies to a client that the service did not write. ALLOWED: the change leaves it untrusted. TRUSTED: the change
   * accepts it.
   */
  readonly ofUntrusted?: 'REFUSED' | 'ALLOWED' | 'TRUSTED';
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
  readonly #mac: ClientMac;
  readonly #disabled: DisabledListStore;
  readonly #now: () => Date;

  /** `secretKey`: the 32 bytes of `CLIENT_SECRET_KEY`. */
  constructor(connection: Connection, secretKey: Uint8Array, now: () => Date = () => new Date()) {
    this.#connection = connection;
    this.#clients = CLIENTS.open(connection);
    this.#aggregates = new Aggregates<ClientDocument>({ collection: this.#clients, now, busy: toUnavailable });
    this.#secrets = new ClientSecrets(secretKey);
    this.#mac = new ClientMac(secretKey);
    this.#disabled = new DisabledListStore(connection, secretKey, now);
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
    const marked = { ...content, mac: this.#mac.make(content) };
    const { document } = await this.#aggregates.create(marked, creationOf(content._id), {});
    return { client: this.#toDetails(document, now), secretId: kept.id, secret };
  }

  /**
   * Creates or changes a client so that it is exactly as given, with this one secret and its own keys, if these can be
   * trusted. Safe to run twice, and two at once.
   */
  async ensureClient({ client_id: clientId, client_secret: secret, ...given }: EnsuredClient): Promise<void> {
    const now = this.#now();
    const { name, organisationId, codespaces, scopes } = given;
    const rights = { name, organisationId, codespaces: [...codespaces], scopes: [...scopes] };
    const content = { ...rights, secrets: [this.#secrets.keep(secret, now)], updatedAt: now };
    const present = { disabledAt: undefined, deletedAt: undefined, removeAt: undefined };
    let wasDisabled = false;
    const change = async () =>
      await this.#aggregates.change({ filter: () => ({ _id: clientId }) }, workOn(clientId), ({ document }) => {
        wasDisabled = document.disabledAt !== undefined;
        const jwks = this.#mac.isTrusted(document) ? document.jwks : undefined;
        const mac = this.#mac.make({ _id: clientId, ...content, ...(jwks && { jwks }) });
        return { set: { ...content, ...present, jwks, mac, createdAt: document.createdAt ?? now } };
      });
    if (await change()) {
      // Also when an earlier run changed the client and ended before the list.
      if (wasDisabled || (await this.#disabled.lists(clientId))) await this.#disabled.remove(clientId);
      return;
    }
    const unmarked = { _id: clientId, ...content, createdAt: now };
    const created = { ...unmarked, mac: this.#mac.make(unmarked) };
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
    return { items: documents.map((each) => this.#toDetails(each, this.#now())), totalItems };
  }

  async get(clientId: string): Promise<ClientDetails> {
    const found = await this.#clients.findOne({ _id: clientId, ...PRESENT });
    if (!found) throw noSuchClient();
    return this.#toDetails(found, this.#now());
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

  /** Throws NOT_FOUND when the client does not have this secret. */
  async requireSecret(clientId: string, secretId: string): Promise<void> {
    const found = await this.#clients.findOne({ _id: clientId, ...PRESENT, 'secrets.id': secretId });
    if (!found) throw noSuchSecret();
  }

  /** Takes effect at once, whatever the overlap. */
  async removeSecret(clientId: string, secretId: string): Promise<void> {
    await this.#change(
      clientId,
      ({ secrets }) => {
        if (!secrets.some(({ id }) => id === secretId)) throw noSuchSecret();
        return { secrets: secrets.filter(({ id }) => id !== secretId) };
      },
      { absent: noSuchSecret },
    );
  }

  /** Replaces the keys. With none, the client has no key. */
  async setJwks(clientId: string, keys: readonly JWK[]): Promise<ClientDetails> {
    return await this.#change(clientId, () => ({ jwks: [...keys] }));
  }

  /**
   * Stops new tokens at once; live ones are refused as soon as the API has read the list (disabled-clients.ts). Safe to
   * repeat.
   */
  async disable(clientId: string): Promise<ClientDetails> {
    const now = this.#now();
    const decide = ({ disabledAt }: ClientDocument) => ({ disabledAt: disabledAt ?? now });
    const client = await this.#change(clientId, decide, { ofUntrusted: 'ALLOWED' });
    await this.#disabled.add(clientId, now);
    return client;
  }

  /** In this order, because the list's keeper adds the clients that are disabled. Safe to repeat. */
  async enable(clientId: string): Promise<ClientDetails> {
    const client = await this.#change(clientId, () => ({ disabledAt: undefined }));
    await this.#disabled.remove(clientId);
    return client;
  }

  /**
   * Removes everything but the id, which stays until the client's last token has expired. Safe to repeat until the client is
   * in the list of disabled clients.
   */
  async delete(clientId: string): Promise<void> {
    const now = this.#now();
    const rights = { name: undefined, organisationId: undefined, codespaces: undefined, scopes: undefined };
    const rest = { jwks: undefined, mac: undefined, createdAt: undefined, updatedAt: undefined };
    const mark = { deletedAt: now, disabledAt: now, removeAt: new Date(now.getTime() + DISABLED_KEPT_MS) };
    const decide = () => ({ secrets: [], ...rights, ...rest, ...mark });
    try {
      await this.#change(clientId, decide, { ofUntrusted: 'ALLOWED' });
    } catch (error) {
      // An earlier call may have ended before the list.
      const isDeleted = await this.#clients.findOne({ _id: clientId }, { projection: { _id: 1 } });
      if (!isDeleted || (await this.#disabled.lists(clientId))) throw error;
    }
    await this.#disabled.add(clientId, now);
  }

  /**
   * Accepts the rights of a client as they are; the operator looks at them in the answer. Its secrets and keys go,
   * since nobody can see whose they are, and it gets a new secret.
   */
  async trust(clientId: string): Promise<{ client: ClientDetails } & MadeSecret> {
    const { secret, kept } = this.#secrets.make(this.#now());
    const decide = () => ({ secrets: [kept], jwks: undefined });
    const client = await this.#change(clientId, decide, { ofUntrusted: 'TRUSTED' });
    return { client, secretId: kept.id, secret };
  }

  /** Throws what `absent` makes when there is no such client. */
  async #change(
    clientId: string,
    decide: (client: ClientDocument) => Members<ClientDocument>,
    { absent = noSuchClient, ofUntrusted = 'REFUSED' }: ChangeRule = {},
  ): Promise<ClientDetails> {
    const updatedAt = this.#now();
    const place = { filter: () => ({ _id: clientId, ...PRESENT }) };
    const changed = await this.#aggregates.change(place, workOn(clientId), ({ document }) => {
      const isTrusted = ofUntrusted === 'TRUSTED' || this.#mac.isTrusted(document);
      if (!isTrusted && ofUntrusted === 'REFUSED') throw untrusted();
      const decided = decide(document);
      // The MAC of a client that is not trusted stays wrong.
      const mac = isTrusted ? { mac: this.#mac.make({ ...document, ...decided } as ClientDocument) } : {};
      return { set: { updatedAt, ...mac, ...decided } };
    });
    if (!changed) throw absent();
    return this.#toDetails(changed.document, updatedAt);
  }

  #toDetails(document: ClientDocument, now: Date): ClientDetails {
    return toDetails(document, now, this.#mac.isTrusted(document));
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

/** A change would make a MAC for a record that the service did not write. */
function untrusted(): ServiceError {
  return new ServiceError(
    'INVALID_STATE',
    'The client was not written by this service. Delete it, or look at it and run `npm run client -- trust`.',
  );
}

function noSuchClient(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such client.');
}

function noSuchSecret(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such secret.');
}
