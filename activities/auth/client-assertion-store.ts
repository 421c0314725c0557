/**
 * Remembers used assertions, so that each is accepted once across all processes. Caller: the authentication of clients.
 * An expired assertion is refused by its own date, so its document is removed.
 */
import { createHash } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Assertion } from './client-assertion.ts';

interface UsedDocument {
  /** Hash of client and `jti`: two clients may choose the same `jti`. */
  readonly _id: string;
  readonly expiresAt: Date;
}

export const CLIENT_ASSERTIONS = new CollectionDefinition<UsedDocument>('client_assertions', [
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
]);

export class ClientAssertionStore {
  readonly #connection: Connection;
  readonly #used: mongo.Collection<UsedDocument>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#used = CLIENT_ASSERTIONS.open(connection);
  }

  /** Called once when a process starts. */
  async ensureIndexes(): Promise<void> {
    await CLIENT_ASSERTIONS.ensureIndexes(this.#connection);
  }

  /** True for the first use only, also when several arrive at once. */
  async use(clientId: string, { jti, expiresAt }: Assertion): Promise<boolean> {
    const _id = createHash('sha256')
      .update(JSON.stringify([clientId, jti]))
      .digest('base64url');
    try {
      await this.#used.insertOne({ _id, expiresAt });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }
}
