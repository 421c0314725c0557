/**
 * Which assertions have been used: each serves once, whichever process it comes to. Caller: the authentication of clients. What
 * has expired is refused by its own date, so it need not be remembered.
 */
import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Assertion } from './client-assertion.ts';

interface UsedDocument {
  /** Hash of client and `jti`: clients may choose the same ones. */
  _id: string;
  expiresAt: Date;
}

export class ClientAssertionStore {
  readonly #collection;

  constructor(connection: Connection) {
    this.#collection = connection.collection<UsedDocument>('client_assertions');
  }

  /** Once at start of a process. */
  async ensureIndexes(): Promise<void> {
    await this.#collection.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0, name: 'expiry' });
  }

  /** True for the first who uses it, of however many at once. */
  async use(clientId: string, { jti, expiresAt }: Assertion): Promise<boolean> {
    const _id = createHash('sha256')
      .update(JSON.stringify([clientId, jti]))
      .digest('base64url');
    try {
      await this.#collection.insertOne({ _id, expiresAt });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }
}
