/**
 * Remembers used assertions: each serves once in all processes. Caller: the authentication of clients. An expired assertion is
 * refused by its own date, so it is forgotten.
 */
import { createHash } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Assertion } from './client-assertion.ts';

interface UsedDocument {
  /** Hash of client and `jti`: clients may choose the same ones. */
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

  /** Once at start of a process. */
  async ensureIndexes(): Promise<void> {
    await CLIENT_ASSERTIONS.ensureIndexes(this.#connection);
  }

  /** True for the first use, of any number at once. */
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
