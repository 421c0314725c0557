/**
 * The documents that a database writes, as its own profiler counts them: also those that other processes write. For budgets
 * of writes.
 */
import type { Connection } from 'mongoose';
import { z } from 'zod';

/** A capped collection: room for thousands of writes. */
const PROFILE_BYTES = 64 * 1024 * 1024;
const WRITES = ['insert', 'update', 'remove', 'command'];

const profiled = z.object({
  ns: z.string(),
  command: z.unknown(),
  ninserted: z.number().default(0),
  nModified: z.number().default(0),
  nUpserted: z.number().default(0),
  ndeleted: z.number().default(0),
});

export interface Written {
  readonly collection: string;
  readonly documents: number;
  /** The call as JSON. */
  readonly command: string;
}

type Database = NonNullable<Connection['db']>;

export class WriteProfile {
  readonly #database: Database;

  static async start({ db }: Connection): Promise<WriteProfile> {
    if (!db) throw new Error('The database is not connected');
    await db.command({ profile: 0 });
    await db.dropCollection('system.profile');
    await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
    const filter = { op: { $in: WRITES }, ns: { $regex: `^${db.databaseName}\\.(?!system\\.)` } };
    await db.command({ profile: 1, filter });
    return new WriteProfile(db);
  }

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Since the start, in their order. A call that changes no document is no write. */
  async written(): Promise<readonly Written[]> {
    const entries = await this.#database.collection('system.profile').find().sort({ $natural: 1 }).toArray();
    return entries.map((entry) => this.#read(profiled.parse(entry))).filter(({ documents }) => documents > 0);
  }

  async stop(): Promise<void> {
    await this.#database.command({ profile: 0, filter: 'unset' });
  }

  #read({ ns, command, ninserted, nModified, nUpserted, ndeleted }: z.infer<typeof profiled>): Written {
    return {
      collection: ns.slice(this.#database.databaseName.length + 1),
      documents: ninserted + nModified + nUpserted + ndeleted,
      command: JSON.stringify(command) ?? '',
    };
  }
}

/** Events leave their outboxes: a write of the relay. */
export function isRelayed({ command }: Written): boolean {
  return command.includes('"$pull":{"outbox"');
}

export function documentsOf(all: readonly Written[]): number {
  return all.reduce((sum, { documents }) => sum + documents, 0);
}

/** `orders 5, payments 6` */
export function tellWritten(all: readonly Written[]): string {
  const groups = Object.entries(Object.groupBy(all, ({ collection }) => collection));
  return groups.map(([name, those = []]) => `${name} ${documentsOf(those)}`).join(', ');
}
