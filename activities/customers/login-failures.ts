/**
 * Counts recent failed log-ins, so that passwords cannot be guessed. Caller: the handler of `authenticate`. Keeps no
 * name and no password: subjects are customer numbers, keyed hashes and network addresses.
 *
 * A try reserves a place before its password is checked, and there are only as many places as allowed failures. So
 * parallel tries check no more passwords than sequential ones. Right passwords return their places to waiting tries.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export const FAILURE_WINDOW_MS = 15 * 60_000;
/** Longer than a password may wait and be checked; a process that takes longer has died. */
const TRY_LIFETIME_MS = 30_000;
const WAIT_STEP_MS = 50;
const WAIT_LIMIT_MS = 10_000;

export interface FailureLimit {
  readonly subject: string;
  /** After this number of failures within the window, no further try is allowed. */
  readonly most: number;
}

export interface LoginTry {
  /** The password was wrong. */
  fail(): Promise<void>;
  /** The password was right, or could not be checked: nothing is counted. */
  release(): Promise<void>;
}

interface SubjectDocument {
  _id: string;
  /** Earliest first. */
  failures: Date[];
  tries: { id: string; until: Date }[];
  expiresAt: Date;
}

export interface LoginFailureOptions {
  readonly connection: Connection;
  readonly now?: () => Date;
}

export class LoginFailureStore {
  readonly #collection;
  readonly #now: () => Date;

  constructor({ connection, now = () => new Date() }: LoginFailureOptions) {
    this.#collection = connection.collection<SubjectDocument>('customer_login_failures');
    this.#now = now;
  }

  /** Called once at start. The database removes expired documents. */
  async ensureIndexes(): Promise<void> {
    await this.#collection.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0, name: 'expiry' });
  }

  /** Throws RATE_LIMITED when one of the subjects has failed too often, and UNAVAILABLE when too many try at once. */
  async begin(limits: readonly FailureLimit[]): Promise<LoginTry> {
    const id = randomUUID();
    const taken: FailureLimit[] = [];
    const release = async () => {
      const tries = { $pull: { tries: { id } } };
      await Promise.all(taken.map(({ subject }) => this.#collection.updateOne({ _id: subject }, tries)));
    };
    try {
      for (const limit of limits) {
        await this.#take(limit, id);
        taken.push(limit);
      }
    } catch (error) {
      await release();
      throw error;
    }
    return { release, fail: async () => void (await Promise.all(taken.map((limit) => this.#count(limit, id)))) };
  }

  async #take({ subject, most }: FailureLimit, id: string): Promise<void> {
    const giveUpAt = performance.now() + WAIT_LIMIT_MS;
    for (;;) {
      const { failures, tries } = await this.#tryToTake(subject, most, id);
      if (tries.some((each) => each.id === id)) return;
      const [first] = failures.slice(-most);
      if (failures.length >= most && first) throw this.#tooMany(first.getTime() + FAILURE_WINDOW_MS);
      // Tries in progress hold the last places: some may be right and return theirs.
      if (performance.now() > giveUpAt) throw busy();
      await delay(WAIT_STEP_MS);
    }
  }

  /** One conditional write; answers the document after it. */
  async #tryToTake(subject: string, most: number, id: string): Promise<SubjectDocument> {
    const now = this.#now();
    const live = (list: string, condition: object) => ({
      $filter: { input: { $ifNull: [list, []] }, as: 'each', cond: condition },
    });
    const since = new Date(now.getTime() - FAILURE_WINDOW_MS);
    const place = { id, until: new Date(now.getTime() + TRY_LIFETIME_MS) };
    const used = { $add: [{ $size: '$failures' }, { $size: '$tries' }] };
    const pipeline = [
      {
        $set: {
          failures: live('$failures', { $gt: ['$$each', since] }),
          tries: live('$tries', { $gt: ['$$each.until', now] }),
          expiresAt: new Date(now.getTime() + FAILURE_WINDOW_MS),
        },
      },
      { $set: { tries: { $cond: [{ $lt: [used, most] }, { $concatArrays: ['$tries', [place]] }, '$tries'] } } },
    ];
    for (;;) {
      try {
        const written = await this.#collection.findOneAndUpdate({ _id: subject }, pipeline, {
          upsert: true,
          returnDocument: 'after',
        });
        if (written) return written;
      } catch (error) {
        // Another first try has created the document: this one now finds it.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  async #count({ subject, most }: FailureLimit, id: string): Promise<void> {
    const now = this.#now();
    const change = {
      $pull: { tries: { id } },
      $push: { failures: { $each: [now], $sort: 1 as const, $slice: -most } },
      $max: { expiresAt: new Date(now.getTime() + FAILURE_WINDOW_MS) },
    };
    await this.#collection.updateOne({ _id: subject }, change, { upsert: true });
  }

  #tooMany(untilMs: number): ServiceError {
    const seconds = Math.max(1, Math.ceil((untilMs - this.#now().getTime()) / 1000));
    return new ServiceError('RATE_LIMITED', 'Too many attempts have failed. Try again later.', {
      headers: { 'retry-after': String(seconds) },
    });
  }
}

function busy(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many are logging in at once; try again', {
    headers: { 'retry-after': '1' },
  });
}
