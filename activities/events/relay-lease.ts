/**
 * Elects the process that moves events: one document, leased for some seconds at a time by the database's clock.
 *
 * The lease only saves work. A holder that was paused may believe in its lease for a moment too long, and the event log
 * stays consistent.
 */
import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';

/** A new leader takes over within this time after the death of the former. */
export const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;
const NAME = 'relay';

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly until: Date;
}

export const EVENT_LEASES = new CollectionDefinition<LeaseDocument>('event_leases');

export class RelayLease {
  readonly #leases: mongo.Collection<LeaseDocument>;
  readonly #holder = randomUUID();
  readonly #leaseMs: number;
  #renewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(connection: Connection, leaseMs = LEASE_MS) {
    this.#leases = EVENT_LEASES.open(connection);
    this.#leaseMs = leaseMs;
  }

  /** True while this process holds the lease. While it does, it asks the database at most once a second. */
  async hold(): Promise<boolean> {
    const began = performance.now();
    if (began - this.#renewedAtMs < Math.min(RENEW_EVERY_MS, this.#leaseMs / 3)) return true;
    this.#renewedAtMs = Number.NEGATIVE_INFINITY;
    if (!((await this.#renew()) || ((await this.#create()) && (await this.#renew())))) return false;
    this.#renewedAtMs = began;
    return true;
  }

  /** Lets another process take over at once. */
  async release(): Promise<void> {
    this.#renewedAtMs = Number.NEGATIVE_INFINITY;
    await this.#leases.updateOne({ _id: NAME, holder: this.#holder }, { $set: { until: new Date(0) } });
  }

  async #renew(): Promise<boolean> {
    const { matchedCount } = await this.#leases.updateOne(
      { _id: NAME, $or: [{ holder: this.#holder }, { $expr: { $lt: ['$until', '$$NOW'] } }] },
      [{ $set: { holder: this.#holder, until: { $add: ['$$NOW', this.#leaseMs] } } }],
    );
    return matchedCount === 1;
  }

  /** Creates the lease document. False when another process created it first, and so holds the lease. */
  async #create(): Promise<boolean> {
    try {
      await this.#leases.insertOne({ _id: NAME, holder: '', until: new Date(0) });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
