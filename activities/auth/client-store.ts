/**
 * Clients of the authentication server: who they are, what they may ask for, and the fingerprints of their secrets.
 * Called by the token endpoint and by the local stack. Never keeps or returns a secret, and takes the same time for a
 * client that is not there.
 *
 * Secrets are 256 random bits, so a keyed hash is enough: slow hashes serve guessable passwords. Without the server's key
 * a stolen collection cannot even be tested against.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from '../shared/mongo.ts';

export interface ClientRecord {
  readonly clientId: string;
  readonly name: string;
  readonly organisationId: number;
  readonly codespaces: readonly string[];
  readonly scopes: readonly string[];
}

/** As the local stack writes it to its list of development clients. */
export interface EnsuredClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly name: string;
  readonly organisationId: number;
  readonly codespaces: readonly string[];
  readonly scopes: readonly string[];
}

/** Why a client was not authenticated: for the log only, the caller always gets the same answer. */
export type ClientRefusal = 'unknown client' | 'disabled client' | 'wrong secret';

export type ClientOutcome = { readonly client: ClientRecord } | { readonly refusal: ClientRefusal };

interface SecretDocument {
  id: string;
  hash: string;
  createdAt: Date;
  expiresAt?: Date;
}

interface ClientDocument {
  _id: string;
  name: string;
  organisationId: number;
  codespaces: string[];
  scopes: string[];
  secrets: SecretDocument[];
  disabled: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export class ClientStore {
  readonly #collection;
  readonly #secretKey: Uint8Array;
  readonly #now: () => Date;

  /** `secretKey`: the 32 bytes of `CLIENT_SECRET_KEY`. */
  constructor(connection: Connection, secretKey: Uint8Array, now: () => Date = () => new Date()) {
    this.#collection = connection.collection<ClientDocument>('clients');
    this.#secretKey = secretKey;
    this.#now = now;
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
        secrets: [{ id: randomUUID(), hash: this.#hash(given.client_secret), createdAt: now }],
        disabled: false,
        updatedAt: now,
      },
      $setOnInsert: { createdAt: now },
    };
    try {
      await this.#collection.updateOne({ _id: given.client_id }, update, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Two upserts met: the other one inserted, so this one is now a plain change.
      await this.#collection.updateOne({ _id: given.client_id }, update);
    }
  }

  /** One read and at least one hash and comparison, whoever is named. */
  async authenticate(clientId: string, secret: string): Promise<ClientOutcome> {
    const found = await this.#collection.findOne({ _id: clientId });
    const presented = Buffer.from(this.#hash(secret), 'hex');
    const now = this.#now();
    const live = (found?.secrets ?? []).filter((each) => each.expiresAt === undefined || each.expiresAt > now);
    const hashes = live.length > 0 ? live.map((each) => each.hash) : [this.#hash('')];
    let right = false;
    for (const hash of hashes) {
      if (timingSafeEqual(Buffer.from(hash, 'hex'), presented)) right = live.length > 0;
    }
    if (!found) return { refusal: 'unknown client' };
    if (!right) return { refusal: 'wrong secret' };
    if (found.disabled) return { refusal: 'disabled client' };
    return { client: toRecord(found) };
  }

  /** Stops new tokens at once; live ones run out by themselves. */
  async setDisabled(clientId: string, disabled: boolean): Promise<void> {
    await this.#collection.updateOne({ _id: clientId }, { $set: { disabled, updatedAt: this.#now() } });
  }

  #hash(secret: string): string {
    return createHmac('sha256', this.#secretKey).update(secret).digest('hex');
  }
}

function toRecord(document: ClientDocument): ClientRecord {
  return {
    clientId: document._id,
    name: document.name,
    organisationId: document.organisationId,
    codespaces: document.codespaces,
    scopes: document.scopes,
  };
}
