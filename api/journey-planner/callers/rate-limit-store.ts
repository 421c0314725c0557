/**
 * The counts of all processes in MongoDB: one document per caller and minute, which expires. A process adds and reads
 * in two operations, whatever the number of callers. Caller: `shared-counts.ts`.
 */
import type { Connection, mongo } from 'mongoose';
import { type CountDocument, PLANNER_RATE_LIMITS } from '../../../activities/shared/planner-rate-limits.ts';
import { listRefusedWrites } from '../../../platform/mongo/mongo.ts';

export interface CountedRequests {
  readonly key: string;
  readonly endsAtMs: number;
  readonly requests: number;
}

export class RateLimitStore {
  readonly #connection: Connection;
  readonly #counts: mongo.Collection<CountDocument>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#counts = PLANNER_RATE_LIMITS.open(connection);
  }

  async ensureIndexes(): Promise<void> {
    await PLANNER_RATE_LIMITS.ensureIndexes(this.#connection);
  }

  /**
   * Adds to the stored counts. Returns those it could not add, because another process created the document at the same
   * moment.
   */
  async add(counts: readonly CountedRequests[]): Promise<readonly CountedRequests[]> {
    if (counts.length === 0) return [];
    const operations = counts.map((count) => ({
      updateOne: {
        filter: { _id: idOf(count) },
        update: { $inc: { used: count.requests }, $setOnInsert: { expiresAt: new Date(count.endsAtMs + 60_000) } },
        upsert: true,
      },
    }));
    try {
      await this.#counts.bulkWrite(operations, { ordered: false, writeConcern: { w: 1 } });
      return [];
    } catch (error) {
      const refused = listRefusedWrites(error);
      if (!refused) throw error;
      return refused.flatMap(({ index }) => counts[index] ?? []);
    }
  }

  /** Returns the total counts of all processes, by key. */
  async read(callers: readonly Omit<CountedRequests, 'requests'>[]): Promise<ReadonlyMap<string, number>> {
    const keys = new Map(callers.map((caller) => [idOf(caller), caller.key]));
    const found = this.#counts.find({ _id: { $in: [...keys.keys()] } }, { readConcern: { level: 'local' } });
    const used = new Map<string, number>();
    for await (const { _id, used: counted } of found) used.set(keys.get(_id) ?? '', counted);
    return used;
  }
}

function idOf({ key, endsAtMs }: Omit<CountedRequests, 'requests'>): string {
  return `${endsAtMs} ${key}`;
}
