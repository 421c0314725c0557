/**
 * Counts recent failed log-ins, so that passwords cannot be guessed. Caller: the handler of `authenticate`. Keeps no
 * name, no password and no address: subjects are customer numbers and keyed hashes.
 *
 * A try reserves a place (login-places.ts) before its password is checked, and there are only as many as allowed failures. So
 * parallel tries check no more passwords than sequential ones, in however many processes. Tries of one process wait in
 * memory for each other (login-turns.ts); one that finds no place, since other processes hold the last ones, is refused.
 */
import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import { countFailure, type FailureLimit, refusalOf, type SubjectDocument, takePlace } from './login-places.ts';
import { LoginTurns } from './login-turns.ts';

export interface LoginTry {
  /** The password was wrong. */
  fail(): Promise<void>;
  /** The password was right, or could not be checked: nothing is counted. */
  release(): Promise<void>;
}

export const CUSTOMER_LOGIN_FAILURES = new CollectionDefinition<SubjectDocument>('customer_login_failures', [
  // The database removes expired documents.
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
]);

export interface LoginFailureOptions {
  readonly connection: Connection;
  readonly now?: () => Date;
}

export class LoginFailureStore {
  readonly #connection: Connection;
  readonly #collection: mongo.Collection<SubjectDocument>;
  readonly #turns = new LoginTurns();
  readonly #now: () => Date;

  constructor({ connection, now = () => new Date() }: LoginFailureOptions) {
    this.#connection = connection;
    this.#collection = CUSTOMER_LOGIN_FAILURES.open(connection);
    this.#now = now;
  }

  /** Called once at start. */
  async ensureIndexes(): Promise<void> {
    await CUSTOMER_LOGIN_FAILURES.ensureIndexes(this.#connection);
  }

  /**
   * Throws RATE_LIMITED when one of the subjects has failed too often or has too many tries waiting. Throws UNAVAILABLE
   * when tries in progress hold the last places. Turns and places are taken in the order of the limits. `fail` or
   * `release` must follow.
   */
  async begin(limits: readonly FailureLimit[]): Promise<LoginTry> {
    const turns: (() => void)[] = [];
    const endTurns = () => {
      for (const end of turns.splice(0)) end();
    };
    try {
      for (const { subject, atOnce } of limits) turns.push(await this.#turns.take(subject, atOnce));
      return this.#withTurns(await this.#takePlaces(limits), endTurns);
    } catch (error) {
      endTurns();
      throw error;
    }
  }

  #withTurns(places: LoginTry, endTurns: () => void): LoginTry {
    return {
      fail: () => places.fail().finally(endTurns),
      release: () => places.release().finally(endTurns),
    };
  }

  async #takePlaces(limits: readonly FailureLimit[]): Promise<LoginTry> {
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

  async #take(limit: FailureLimit, id: string): Promise<void> {
    const now = this.#now();
    const document = await this.#tryToTake(limit, id, now);
    if (!document.tries.some((each) => each.id === id)) throw refusalOf(document, limit, now);
  }

  /** Answers the document after the write. */
  async #tryToTake(limit: FailureLimit, id: string, now: Date): Promise<SubjectDocument> {
    for (;;) {
      try {
        const written = await this.#collection.findOneAndUpdate({ _id: limit.subject }, takePlace(limit, id, now), {
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

  async #count(limit: FailureLimit, id: string): Promise<void> {
    await this.#collection.updateOne({ _id: limit.subject }, countFailure(limit, id, this.#now()), { upsert: true });
  }
}
