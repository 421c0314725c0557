/**
 * Tries what a login may do with the collections of a database server, and changes nothing. Writes happen in a
 * transaction that is aborted, and other commands aim at what does not exist. Callers: tried-access.ts.
 */
import { randomUUID } from 'node:crypto';
import mongoose, { type mongo } from 'mongoose';
import type { DocumentRight } from '../../platform/area.ts';

const UNAUTHORIZED = 13;

type Try = (collection: mongo.Collection<{ _id: string }>, session: mongo.ClientSession) => Promise<unknown>;

const WRITES: Readonly<Partial<Record<DocumentRight, Try>>> = {
  insert: (collection, session) => collection.insertOne({ _id: randomUUID() }, { session }),
  update: (collection, session) => collection.updateOne({ _id: randomUUID() }, { $set: { tried: true } }, { session }),
  remove: (collection, session) => collection.deleteOne({ _id: randomUUID() }, { session }),
};

const OTHERS: Readonly<
  Partial<Record<DocumentRight, (collection: mongo.Collection<{ _id: string }>) => Promise<unknown>>>
> = {
  find: (collection) => collection.findOne({}, { projection: { _id: 1 } }),
  watch: async (collection) => {
    const stream = collection.watch([], { maxAwaitTimeMS: 1 });
    try {
      await stream.tryNext();
    } finally {
      await stream.close();
    }
  },
  index: (collection) => collection.createIndex({ _id: 1 }),
};

export class DocumentTries {
  readonly #client: mongo.MongoClient;

  private constructor(client: mongo.MongoClient) {
    this.#client = client;
  }

  static async connect(uri: string): Promise<DocumentTries> {
    return new DocumentTries(await mongoose.mongo.MongoClient.connect(uri, { retryWrites: false, retryReads: false }));
  }

  async rightsOn(database: string, name: string): Promise<ReadonlySet<DocumentRight>> {
    const collection = this.#client.db(database).collection<{ _id: string }>(name);
    const allowed = new Set<DocumentRight>();
    for (const [right, attempt] of Object.entries(OTHERS) as [DocumentRight, (typeof OTHERS)['find'] & object][]) {
      if (await isAllowed(() => attempt(collection))) allowed.add(right);
    }
    for (const [right, attempt] of Object.entries(WRITES) as [DocumentRight, Try][]) {
      if (await isAllowed(() => this.#giveUp((session) => attempt(collection, session)))) allowed.add(right);
    }
    return allowed;
  }

  /** Beyond the documents of a collection: dropping its indexes, the log of all changes, other users' logins. */
  async listExtraordinary(database: string, collections: readonly string[]): Promise<readonly string[]> {
    const db = this.#client.db(database);
    const dropsIndex = async (name: string) => await db.collection(name).dropIndex('no_such_index');
    const tries: readonly (readonly [string, () => Promise<unknown>])[] = [
      [
        'log of all changes',
        () =>
          this.#client
            .db('local')
            .collection('oplog.rs')
            .findOne({}, { projection: { _id: 1 } }),
      ],
      [
        'logins of all',
        () =>
          this.#client
            .db('admin')
            .collection('system.users')
            .findOne({}, { projection: { _id: 1 } }),
      ],
      ['names of the users', () => db.command({ usersInfo: 1 })],
      ['names of the collections', () => db.listCollections({}, { nameOnly: false }).toArray()],
      ['new collection', () => this.#giveUp((session) => db.createCollection('tried_privileges', { session }))],
      ...collections.map((name) => [`indexes of ${name} dropped`, () => dropsIndex(name)] as const),
    ];
    const found: string[] = [];
    for (const [what, attempt] of tries) if (await isAllowed(attempt)) found.push(what);
    return found;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #giveUp(attempt: (session: mongo.ClientSession) => Promise<unknown>): Promise<void> {
    const session = this.#client.startSession();
    try {
      session.startTransaction();
      await attempt(session);
    } finally {
      await session.abortTransaction().catch(() => undefined);
      await session.endSession();
    }
  }
}

/** A refusal for another reason than the login's rights counts as allowed. Throws what the server did not answer. */
async function isAllowed(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError)) throw error;
    return error.code !== UNAUTHORIZED;
  }
}
