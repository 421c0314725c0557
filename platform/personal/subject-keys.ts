/**
 * The data keys of personal subjects, in a database of their own that the back-ups of the data leave out. Destroying a
 * key makes the data that it sealed unreadable, in every copy. Callers: the stores of areas, the sweeps.
 *
 * A data key is stored only wrapped by a master key, bound to its own id, its subject and its organisation. A document that
 * names a key says whose it is, so a key opens for no document that was moved. Plain keys live as long as a request.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { openBytes, sealBytes } from '../keys/aes-gcm.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { isDuplicateKey } from '../mongo/mongo.ts';
import { KEY_INDEX, type KeyDocument, SUBJECT_KEYS } from './key-document.ts';
import { Sealing } from './sealing.ts';
import type { OwnedSubject, SubjectId } from './subject-id.ts';

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

/** The statements of a document about its key. */
export interface NamedKey extends OwnedSubject {
  readonly keyId: string;
}

/** Without the key itself. */
export interface KeyEntry {
  readonly keyId: string;
  readonly subject: SubjectId;
  readonly createdAt: Date;
}

/** A data key that does not open for the subject and organisation that a document names. */
export class KeyMismatch extends Error {}

export interface Rewrapped {
  readonly wrapped: number;
  /** Ids of keys that do not open; at most a hundred. */
  readonly unopened: readonly string[];
}

const DATA_KEY_BYTES = 32;
const MOST_LISTED = 100;

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
  async create(owner: OwnedSubject): Promise<NewDataKey | undefined> {
    const keyId = randomUUID();
    const key = randomBytes(DATA_KEY_BYTES);
    try {
      await this.#collection.insertOne({ ...this.#wrap({ keyId, ...owner }, key), createdAt: this.#now() });
    } catch (error) {
      if (isDuplicateKey(error, KEY_INDEX.subject)) return undefined;
      throw error;
    }
    return { keyId, sealing: new Sealing(key, owner) };
  }

  /** For a subject that gets a key only when there is something to seal. */
  async findOrCreate(owner: OwnedSubject): Promise<NewDataKey> {
    for (;;) {
      const made = await this.create(owner);
      if (made) return made;
      const found = await this.#collection.findOne({ subject: owner.subject });
      // Absent when it has been destroyed since.
      if (found) return { keyId: found._id, sealing: this.#open(found, { keyId: found._id, ...owner }) };
    }
  }

  /** Undefined once it is destroyed. Throws when it is the key of another subject or organisation. */
  async find(named: NamedKey): Promise<Sealing | undefined> {
    const found = await this.#collection.findOne({ _id: named.keyId });
    return found ? this.#open(found, named) : undefined;
  }

  /** For whichever organisation the key was made. */
  async findOf(subject: SubjectId): Promise<Sealing | undefined> {
    return (await this.findKeyOf(subject))?.sealing;
  }

  /** As {@link findOf}, to seal something more. Unlike {@link findOrCreate} it makes no key for a subject that was erased. */
  async findKeyOf(subject: SubjectId): Promise<NewDataKey | undefined> {
    const found = await this.#collection.findOne({ subject });
    return found ? { keyId: found._id, sealing: this.#open(found, namedBy(found)) } : undefined;
  }

  /** As {@link find}, in the given order, with one query for all keys of a page. */
  async findMany(named: readonly NamedKey[]): Promise<readonly (Sealing | undefined)[]> {
    if (named.length === 0) return [];
    const found = await this.#collection.find({ _id: { $in: named.map(({ keyId }) => keyId) } }).toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    return named.map((each) => {
      const document = byId.get(each.keyId);
      return document && this.#open(document, each);
    });
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
   * Wraps every key again that an older configured master key wraps. A key that does not open is left as it is, and holds up no
   * other. Safe to repeat, also side by side.
   */
  async rewrapKeys(): Promise<Rewrapped> {
    const { writingKeyId, keys } = this.#masterKeys;
    const older = [...keys.keys()].filter((id) => id !== writingKeyId);
    const outcome = { wrapped: 0, unopened: [] as string[] };
    for await (const document of this.#collection.find({ masterKeyId: { $in: older } })) {
      const { _id, masterKeyId } = document;
      const named = namedBy(document);
      let key: Buffer;
      try {
        key = this.#unwrap(document, named);
      } catch (error) {
        if (!(error instanceof KeyMismatch)) throw error;
        if (outcome.unopened.length < MOST_LISTED) outcome.unopened.push(_id);
        continue;
      }
      const { wrapped } = this.#wrap(named, key);
      // A conditional update without upsert: a key that has just been destroyed stays destroyed.
      await this.#collection.updateOne({ _id, masterKeyId }, { $set: { wrapped, masterKeyId: writingKeyId } });
      outcome.wrapped += 1;
    }
    return outcome;
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

  #wrap(named: NamedKey, key: Uint8Array): Omit<KeyDocument, 'createdAt'> {
    const { keyId, subject, organisationId } = named;
    const { writingKeyId } = this.#masterKeys;
    const wrapped = sealBytes(this.#masterKey(writingKeyId), key, placeOf(named));
    return { _id: keyId, subject, organisationId, wrapped, masterKeyId: writingKeyId };
  }

  #unwrap({ masterKeyId, wrapped }: KeyDocument, named: NamedKey): Buffer {
    const bytes = wrapped instanceof Uint8Array ? wrapped : wrapped.buffer;
    const masterKey = this.#masterKey(masterKeyId);
    try {
      return openBytes(masterKey, bytes, placeOf(named));
    } catch (cause) {
      const reasons = `it belongs to another subject or organisation, or the master key ${masterKeyId} has changed`;
      throw new KeyMismatch(`The data key ${named.keyId} does not open: ${reasons}`, { cause });
    }
  }

  #open(document: KeyDocument, named: NamedKey): Sealing {
    return new Sealing(this.#unwrap(document, named), named);
  }

  #masterKey(masterKeyId: string): Uint8Array {
    const key = this.#masterKeys.keys.get(masterKeyId);
    if (!key) throw new Error(`A data key is wrapped by the master key ${masterKeyId}, which is not configured`);
    return key;
  }
}

function namedBy({ _id, subject, organisationId }: KeyDocument): NamedKey {
  return { keyId: _id, subject, organisationId };
}

function placeOf({ keyId, organisationId, subject }: NamedKey): string {
  return `subject-key/${keyId}/${organisationId}/${subject}`;
}
