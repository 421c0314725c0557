/** The published keys. They stay when their private half is gone: tickets that they have signed are still inspected. */
import { type Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '../../../platform/mongo/mongo.ts';
import { TICKET_KEYS, type TicketKeyDocument } from './ticket-key-document.ts';
import type { TicketKeyFacts } from './ticket-signer.ts';

/** ECDSA on P-256 with SHA-256, as the barcode's header names it. */
export const TICKET_KEY_ALGORITHM = 'ECDSA_P256_SHA256';

export interface PublishedTicketKey extends TicketKeyFacts {
  readonly algorithm: typeof TICKET_KEY_ALGORITHM;
  readonly publishedAt: Date;
}

/** The number of a key belongs to another key: tickets of both would be in use. */
export class KeyNumberTakenError extends Error {
  constructor(keyId: number) {
    super(`Key ${keyId} is published with another public half: give the new key another keyId`);
    this.name = 'KeyNumberTakenError';
  }
}

export class TicketKeyStore {
  readonly #keys: mongo.Collection<TicketKeyDocument>;

  constructor(connection: Connection) {
    this.#keys = TICKET_KEYS.open(connection);
  }

  /** By their numbers; ended ones too. */
  async list(): Promise<readonly PublishedTicketKey[]> {
    const found = await this.#keys.find().sort({ issuerCode: 1, keyId: 1 }).toArray();
    return found.map(({ _id, publicKeyDer, ...facts }) => ({
      ...facts,
      publicKeyDer: new Uint8Array(publicKeyDer.buffer),
      algorithm: TICKET_KEY_ALGORITHM,
    }));
  }

  /**
   * Safe to repeat. A published key may end earlier, and changes in nothing else: a worker with an old file does not bring back what
   * was withdrawn. Throws KeyNumberTakenError.
   */
  async publish({ issuerCode, keyId, publicKeyDer, validFrom, validTo }: TicketKeyFacts, now: Date): Promise<void> {
    const filter = { _id: `${issuerCode}/${keyId}`, publicKeyDer: new mongo.Binary(Buffer.from(publicKeyDer)) };
    // A key that is withdrawn before it begins gets an earlier begin too.
    const validity = { $min: { validFrom, validTo } };
    const first = { ...validity, $setOnInsert: { issuerCode, keyId, publishedAt: now } };
    try {
      await this.#keys.updateOne(filter, first, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another worker has published the same key meanwhile, or the number is another key's.
      const { matchedCount } = await this.#keys.updateOne(filter, validity);
      if (matchedCount === 0) throw new KeyNumberTakenError(keyId);
    }
  }
}
