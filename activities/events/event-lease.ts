/**
 * Elects the process that does one job (moves events, delivers to webhooks): one document for each job, leased for some
 * seconds at a time by the database's clock.
 *
 * The lease only saves work. A holder that was paused may believe in its lease for a moment too long; every job stays
 * correct when two processes do it.
 */
import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';

/** A new leader takes over within this time after the death of the former. */
export const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;

/** Part of a stored name: never changed. */
export type LeasedJob = 'relay' | 'webhooks' | 'kafka' | 'subscriptions';

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly until: Date;
}

export const EVENT_LEASES = new CollectionDefinition<LeaseDocument>('event_leases');

export class EventLease {
  readonly #leases: mongo.Collection<LeaseDocument>;
  readonly job: LeasedJob;
  readonly #holder = randomUUID();
  readonly #leaseMs: number;
  #renewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(connection: Connection, job: LeasedJob, leaseMs = LEASE_MS) {
    this.job = job;
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
    await this.#leases.updateOne({ _id: this.job, holder: this.#holder }, { $set: { until: new Date(0) } });
  }

  async #renew(): Promise<boolean> {
    const { matchedCount } = await this.#leases.updateOne(
      { _id: this.job, $or: [{ holder: this.#holder }, { $expr: { $lt: ['$until', '$$NOW'] } }] },
      [{ $set: { holder: this.#holder, until: { $add: ['$$NOW', this.#leaseMs] } } }],
    );
    return matchedCount === 1;
  }

  /** Creates the lease document. False when another process created it first, and so holds the lease. */
  async #create(): Promise<boolean> {
    try {
      await this.#leases.insertOne({ _id: this.job, holder: '', until: new Date(0) });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
