/**
 * How a store declares its collection: the name, the type of the documents and the indexes, as data.
 *
 * Every store reads and writes through MongoDB's own driver over the one connection of its process. The driver sends
 * what the code says: nothing is cast, defaulted or stripped on the way.
 */
import type { Connection, mongo } from 'mongoose';

export type NamedIndex = mongo.IndexDescription & { readonly name: string };

const UNAUTHORIZED = 13;
const NAMESPACE_NOT_FOUND = 26;
const SNAKE_CASE = /^[a-z]+(_[a-z]+)*$/;

export class CollectionDefinition<Stored extends mongo.Document> {
  readonly collection: string;
  readonly indexes: readonly NamedIndex[];

  /** Throws RangeError for a name that is not snake_case. */
  constructor(collection: string, indexes: readonly NamedIndex[] = []) {
    if (!SNAKE_CASE.test(collection)) throw new RangeError(`The collection name ${collection} is not snake_case`);
    this.collection = collection;
    this.indexes = indexes;
  }

  open(database: Connection | mongo.Db): mongo.Collection<Stored> {
    return database.collection<Stored>(this.collection);
  }

  /**
   * Unique indexes guard what the stores promise, so every process that writes calls this before it takes work. It makes the
   * missing ones: a process may run without the right to make indexes where all exist. Throws a sentence for operators where some
   * are missing.
   */
  async ensureIndexes(connection: Connection): Promise<void> {
    if (this.indexes.length === 0) return;
    const present = await listIndexNames(this.open(connection));
    const missing = this.indexes.filter(({ name }) => !present.has(name));
    if (missing.length === 0) return;
    try {
      await this.open(connection).createIndexes(missing);
    } catch (error) {
      if (!hasCode(error, UNAUTHORIZED)) throw error;
      const names = missing.map(({ name }) => name).join(', ');
      throw new Error(
        `The collection ${this.collection} lacks the indexes ${names}, and this login may not make them: run the job that ` +
          'prepares the database (docs/operations/privileges.md)',
        { cause: error },
      );
    }
  }

  /** Throws where an index of the same name has other options. Caller: the preparation of a database. */
  async makeIndexes(database: mongo.Db): Promise<void> {
    if (this.indexes.length > 0) await this.open(database).createIndexes([...this.indexes]);
  }
}

/** None where the collection does not exist yet. */
async function listIndexNames<Stored extends mongo.Document>(
  collection: mongo.Collection<Stored>,
): Promise<ReadonlySet<string | undefined>> {
  try {
    return new Set((await collection.indexes()).map(({ name }) => name));
  } catch (error) {
    if (hasCode(error, NAMESPACE_NOT_FOUND)) return new Set();
    throw error;
  }
}

/** The driver is not imported for this: manifests import this file, and every process reads them. */
function hasCode(error: unknown, code: number): boolean {
  return (error as { readonly code?: unknown }).code === code;
}
