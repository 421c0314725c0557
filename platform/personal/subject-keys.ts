/**
 * The data keys of personal subjects, in a database of their own that the back-ups of the data leave out. Destroying a
 * key makes the data that it sealed unreadable, in every copy. Callers: the stores of areas, the sweeps.
 *
 * A data key is stored only wrapped by a master key, bound to its own id and its subject. Plain keys live as long as a
 * request.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { openBytes, sealBytes } from '../keys/aes-gcm.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { isDuplicateKey } from '../mongo/mongo.ts';
import { KEY_INDEX, type KeyDocument, SUBJECT_KEYS } from './key-document.ts';
import { Sealing } from './sealing.ts';
import type { SubjectId } from './subject-id.ts';

export interface SubjectKeysOptions {
  /** Connection to the keys database. */
  readonly connection: Connection;
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
  readonly subject: SubjectId;
  readonly createdAt: Date;
}

const DATA_KEY_BYTES = 32;

export class SubjectKeys {
  readonly #connection: Connection;
  readonly #collection;
  readonly #masterKeys: KeyRing;
  readonly #now: () => Date;

  constructor({ connection, masterKeys, now }: SubjectKeysOptions) {
    this.#connection = connection;
    this.#collection = SUBJECT_KEYS.open(connection);
    this.#masterKeys = masterKeys;
    this.#now = now ?? (() => new Date());
  }

  /** Call before the first key is made. */
  async ensureIndexes(): Promise<void> {
    await SUBJECT_KEYS.ensureIndexes(this.#connection);
  }

  /** Call before the subject is created. Undefined when the subject has a key already. */
  async create(subject: SubjectId): Promise<NewDataKey | undefined> {
    const keyId = randomUUID();
    const key = randomBytes(DATA_KEY_BYTES);
    try {
      await this.#collection.insertOne({ ...this.#wrap(keyId, subject, key), createdAt: this.#now() });
    } catch (error) {
      if (isDuplicateKey(error, KEY_INDEX.subject)) return undefined;
      throw error;
    }
    return { keyId, sealing: new Sealing(key, subject) };
  }

  /** Undefined once it is destroyed. */
  async find(keyId: string): Promise<Sealing | undefined> {
    const found = await this.#collection.findOne({ _id: keyId });
    return found ? this.#open(found) : undefined;
  }

  async findOf(subject: SubjectId): Promise<Sealing | undefined> {
    const found = await this.#collection.findOne({ subject });
    return found ? this.#open(found) : undefined;
  }

  /** One query for all keys of a page. Destroyed keys are left out. */
  async findMany(keyIds: readonly string[]): Promise<ReadonlyMap<string, Sealing>> {
    if (keyIds.length === 0) return new Map();
    const found = await this.#collection.find({ _id: { $in: [...keyIds] } }).toArray();
    return new Map(found.map((document) => [document._id, this.#open(document)]));
  }

  /** Removes the key of a creation that failed: no document names it. */
  async discard(keyId: string): Promise<void> {
    await this.#collection.deleteOne({ _id: keyId });
  }

  /** Makes the data sealed for these subjects unreadable, here and in every back-up. Safe to repeat. */
  async destroyOf(...subjects: SubjectId[]): Promise<void> {
    await this.#collection.deleteMany({ subject: { $in: subjects } });
  }

  async existsFor(subject: SubjectId): Promise<boolean> {
    return (await this.#collection.findOne({ subject }, { projection: { _id: 1 } })) !== null;
  }

  /** The given subjects that have a key. Opens no key. */
  async listExisting(subjects: readonly SubjectId[]): Promise<ReadonlySet<SubjectId>> {
    const projection = { _id: 0, subject: 1 };
    const found = await this.#collection.find({ subject: { $in: [...subjects] } }, { projection }).toArray();
    return new Set(found.map(({ subject }) => subject));
  }

  /**
   * Wraps up to `limit` keys again that an older master key wraps. Answers how many: fewer than `limit` means that none
   * is left.
   */
  async rewrapKeys(limit: number): Promise<number> {
    const { writingKeyId, keys } = this.#masterKeys;
    // A key that no configured master key opens holds up no other.
    const older = [...keys.keys()].filter((id) => id !== writingKeyId);
    const found = await this.#collection
      .find({ masterKeyId: { $in: older } })
      .limit(limit)
      .toArray();
    for (const document of found) {
      const { _id, subject, masterKeyId } = document;
      const { wrapped } = this.#wrap(_id, subject, this.#unwrap(document));
      // A conditional update without upsert: a key that has just been destroyed stays destroyed.
      await this.#collection.updateOne({ _id, masterKeyId }, { $set: { wrapped, masterKeyId: writingKeyId } });
    }
    return found.length;
  }

  /** Keys of one kind of subject, made in this time, oldest first. */
  async *eachCreated(kind: string, from: Date, before: Date): AsyncGenerator<KeyEntry> {
    // `0` is the character after `/`.
    const ofKind = { $gte: `${kind}/`, $lt: `${kind}0` } as { readonly $gte: SubjectId; readonly $lt: SubjectId };
    const options = { projection: { subject: 1, createdAt: 1 }, hint: KEY_INDEX.age };
    const found = this.#collection
      .find({ createdAt: { $gte: from, $lt: before }, subject: ofKind }, options)
      .sort({ createdAt: 1 });
    for await (const { _id, subject, createdAt } of found) yield { keyId: _id, subject, createdAt };
  }

  #wrap(keyId: string, subject: SubjectId, key: Uint8Array): Omit<KeyDocument, 'createdAt'> {
    const { writingKeyId } = this.#masterKeys;
    const wrapped = sealBytes(this.#masterKey(writingKeyId), key, placeOf(keyId, subject));
    return { _id: keyId, subject, wrapped, masterKeyId: writingKeyId };
  }

  #unwrap({ _id, subject, masterKeyId, wrapped }: KeyDocument): Buffer {
    const bytes = wrapped instanceof Uint8Array ? wrapped : wrapped.buffer;
    return openBytes(this.#masterKey(masterKeyId), bytes, placeOf(_id, subject));
  }

  #open(document: KeyDocument): Sealing {
    return new Sealing(this.#unwrap(document), document.subject);
  }

  #masterKey(masterKeyId: string): Uint8Array {
    const key = this.#masterKeys.keys.get(masterKeyId);
    if (!key) throw new Error(`A data key is wrapped by the master key ${masterKeyId}, which is not configured`);
    return key;
  }
}

function placeOf(keyId: string, subject: SubjectId): string {
  return `subject-key/${keyId}/${subject}`;
}
