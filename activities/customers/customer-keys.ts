/**
 * The data keys of profiles, in a database of their own that is left out of the backups of the data: who destroys a key makes
 * what it sealed unreadable wherever a copy lies. Callers: the stores of this folder, the sweeps.
 *
 * A data key is kept only wrapped by a master key, bound to its own id and customer. Plain ones live as long as a request.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { openBytes, sealBytes } from '../../platform/keys/aes-gcm.ts';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { Sealing } from './sealing.ts';

export interface CustomerKeysOptions {
  /** Of `CUSTOMER_KEYS_MONGODB_URI`. */
  readonly connection: Connection;
  /** Of `CUSTOMER_MASTER_KEYS`. */
  readonly masterKeys: KeyRing;
  readonly now?: () => Date;
}

export interface NewDataKey {
  readonly keyId: string;
  readonly sealing: Sealing;
}

/** Without the key itself. */
export interface KeyEntry {
  readonly keyId: string;
  readonly customerNumber: CustomerNumber;
  readonly createdAt: Date;
}

interface KeyDocument {
  _id: string;
  customerNumber: CustomerNumber;
  wrapped: Uint8Array | mongo.Binary;
  masterKeyId: string;
  createdAt: Date;
}

export const CUSTOMER_KEYS_COLLECTION = 'customer_keys';

const DATA_KEY_BYTES = 32;
const INDEX_OF_CUSTOMERS = 'customer';

export class CustomerKeys {
  readonly #collection;
  readonly #masterKeys: KeyRing;
  readonly #now: () => Date;

  constructor({ connection, masterKeys, now }: CustomerKeysOptions) {
    this.#collection = connection.collection<KeyDocument>(CUSTOMER_KEYS_COLLECTION);
    this.#masterKeys = masterKeys;
    this.#now = now ?? (() => new Date());
  }

  /** Before anything else: one customer has one key, or erasure would leave one behind. */
  async ensureIndexes(): Promise<void> {
    await this.#collection.createIndexes([
      { name: INDEX_OF_CUSTOMERS, key: { customerNumber: 1 }, unique: true },
      { name: 'master_keys', key: { masterKeyId: 1 } },
      { name: 'age', key: { createdAt: 1 } },
    ]);
  }

  /** Makes the key of a profile that is about to be made; undefined when the number is taken. */
  async create(customerNumber: CustomerNumber): Promise<NewDataKey | undefined> {
    const keyId = randomUUID();
    const key = randomBytes(DATA_KEY_BYTES);
    try {
      await this.#collection.insertOne({ ...this.#wrap(keyId, customerNumber, key), createdAt: this.#now() });
    } catch (error) {
      if (isDuplicateKey(error, INDEX_OF_CUSTOMERS)) return undefined;
      throw error;
    }
    return { keyId, sealing: new Sealing(key, customerNumber) };
  }

  /** Undefined once it is destroyed. */
  async find(keyId: string): Promise<Sealing | undefined> {
    const found = await this.#collection.findOne({ _id: keyId });
    return found ? this.#open(found) : undefined;
  }

  async findOf(customerNumber: CustomerNumber): Promise<Sealing | undefined> {
    const found = await this.#collection.findOne({ customerNumber });
    return found ? this.#open(found) : undefined;
  }

  /** One query for as many as a page shows. Those that are destroyed are left out. */
  async findMany(keyIds: readonly string[]): Promise<ReadonlyMap<string, Sealing>> {
    if (keyIds.length === 0) return new Map();
    const found = await this.#collection.find({ _id: { $in: [...keyIds] } }).toArray();
    return new Map(found.map((document) => [document._id, this.#open(document)]));
  }

  /** Of a creation that came to nothing: no profile names it. */
  async discard(keyId: string): Promise<void> {
    await this.#collection.deleteOne({ _id: keyId });
  }

  /** What was sealed for these customers cannot be read any more, here and in every backup. Safe to repeat. */
  async destroyOf(...customerNumbers: CustomerNumber[]): Promise<void> {
    await this.#collection.deleteMany({ customerNumber: { $in: customerNumbers } });
  }

  async existsFor(customerNumber: CustomerNumber): Promise<boolean> {
    return (await this.#collection.findOne({ customerNumber }, { projection: { _id: 1 } })) !== null;
  }

  /** Those of the given that have a key. Opens none. */
  async listExisting(customerNumbers: readonly CustomerNumber[]): Promise<ReadonlySet<CustomerNumber>> {
    const found = this.#collection.find({ customerNumber: { $in: [...customerNumbers] } });
    const numbers = await found.project<Pick<KeyDocument, 'customerNumber'>>({ _id: 0, customerNumber: 1 }).toArray();
    return new Set(numbers.map(({ customerNumber }) => customerNumber));
  }

  /** Wraps up to `limit` keys anew that an older master key wraps, and answers how many: none are left when fewer than `limit`. */
  async rewrapKeys(limit: number): Promise<number> {
    const { writingKeyId, keys } = this.#masterKeys;
    // One that no configured key opens stands in nobody's way.
    const older = [...keys.keys()].filter((id) => id !== writingKeyId);
    const found = await this.#collection
      .find({ masterKeyId: { $in: older } })
      .limit(limit)
      .toArray();
    for (const document of found) {
      const { _id, customerNumber, masterKeyId } = document;
      const { wrapped } = this.#wrap(_id, customerNumber, this.#unwrap(document));
      // Conditional, and no upsert: a key that was destroyed meanwhile stays destroyed.
      await this.#collection.updateOne({ _id, masterKeyId }, { $set: { wrapped, masterKeyId: writingKeyId } });
    }
    return found.length;
  }

  /** Made in this time, oldest first. */
  async *eachCreated(from: Date, before: Date): AsyncGenerator<KeyEntry> {
    const found = this.#collection
      .find({ createdAt: { $gte: from, $lt: before } }, { projection: { customerNumber: 1, createdAt: 1 } })
      .sort({ createdAt: 1 });
    for await (const { _id, customerNumber, createdAt } of found) yield { keyId: _id, customerNumber, createdAt };
  }

  #wrap(keyId: string, customerNumber: CustomerNumber, key: Uint8Array): Omit<KeyDocument, 'createdAt'> {
    const { writingKeyId } = this.#masterKeys;
    const wrapped = sealBytes(this.#masterKey(writingKeyId), key, placeOf(keyId, customerNumber));
    return { _id: keyId, customerNumber, wrapped, masterKeyId: writingKeyId };
  }

  #unwrap({ _id, customerNumber, masterKeyId, wrapped }: KeyDocument): Buffer {
    const bytes = wrapped instanceof Uint8Array ? wrapped : wrapped.buffer;
    return openBytes(this.#masterKey(masterKeyId), bytes, placeOf(_id, customerNumber));
  }

  #open(document: KeyDocument): Sealing {
    return new Sealing(this.#unwrap(document), document.customerNumber);
  }

  #masterKey(masterKeyId: string): Uint8Array {
    const key = this.#masterKeys.keys.get(masterKeyId);
    if (!key)
      throw new Error(`A data key is wrapped by the master key ${masterKeyId}, which CUSTOMER_MASTER_KEYS lacks`);
    return key;
  }
}

function placeOf(keyId: string, customerNumber: CustomerNumber): string {
  return `customer-key/${keyId}/${customerNumber}`;
}
