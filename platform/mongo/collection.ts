/**
 * How a store declares its collection: the name, the type of the documents and the indexes, as data.
 *
 * Every store reads and writes through MongoDB's own driver over the one connection of its process. The driver sends
 * what the code says: nothing is cast, defaulted or stripped on the way.
 */
import type { Connection, mongo } from 'mongoose';

const SNAKE_CASE = /^[a-z]+(_[a-z]+)*$/;

export class CollectionDefinition<Stored extends mongo.Document> {
  readonly collection: string;
  readonly indexes: readonly mongo.IndexDescription[];

  /** Throws RangeError for a name that is not snake_case. */
  constructor(collection: string, indexes: readonly mongo.IndexDescription[] = []) {
    if (!SNAKE_CASE.test(collection)) throw new RangeError(`The collection name ${collection} is not snake_case`);
    this.collection = collection;
    this.indexes = indexes;
  }

  open(database: Connection | mongo.Db): mongo.Collection<Stored> {
    return database.collection<Stored>(this.collection);
  }

  /** Unique indexes guard what the stores promise, so every process that writes calls this before it takes work. */
  async ensureIndexes(connection: Connection): Promise<void> {
    if (this.indexes.length > 0) await this.open(connection).createIndexes([...this.indexes]);
  }
}
