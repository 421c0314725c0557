/**
 * Counts wrong credentials within a window, by client and by address. Caller: the authentication of clients. Keeps no secret, and
 * of a client id only its hash, so every document has the same size.
 *
 * A password (customers' log-ins) can be guessed, so its try is counted before it is checked. A client's secret is 256 random
 * bits, so only failures are counted, after the check. One atomic write adds a failure and answers the count before it. So of any
 * number of failures at once, exactly as many as the limit are answered as wrong; the others as too many. Success writes nothing.
 */
import { createHash } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';

export const FAILURE_WINDOW_MS = 10 * 60_000;

export interface FailureLimits {
  readonly perClient: number;
  readonly perAddress: number;
}

/** The failures of one client and one address. */
export interface FailureCounts {
  readonly addressFailures: number;
  /** Seconds until the limit allows another failure; undefined: the limit is not reached. */
  readonly clientFullSeconds: number | undefined;
  readonly addressFullSeconds: number | undefined;
}

interface SubjectDocument {
  readonly _id: string;
  /** Earliest first; never more than the limit. */
  readonly failures: readonly Date[];
  readonly expiresAt: Date;
}

export const CLIENT_FAILURES = new CollectionDefinition<SubjectDocument>('client_failures', [
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
]);

export interface ClientFailureOptions {
  readonly connection: Connection;
  readonly limits: FailureLimits;
  readonly now?: () => Date;
}

export class ClientFailures {
  readonly #connection: Connection;
  readonly #subjects: mongo.Collection<SubjectDocument>;
  readonly #limits: FailureLimits;
  readonly #now: () => Date;

  constructor({ connection, limits, now = () => new Date() }: ClientFailureOptions) {
    this.#connection = connection;
    this.#subjects = CLIENT_FAILURES.open(connection);
    this.#limits = limits;
    this.#now = now;
  }

  /** Called once at start. The database removes documents whose window has ended. */
  async ensureIndexes(): Promise<void> {
    await CLIENT_FAILURES.ensureIndexes(this.#connection);
  }

  async read(clientId: string, address: string): Promise<FailureCounts> {
    const [client, network] = [clientSubject(clientId), addressSubject(address)];
    const found = await this.#subjects.find({ _id: { $in: [client, network] } }).toArray();
    const failuresOf = (subject: string) => found.find(({ _id }) => _id === subject)?.failures ?? [];
    return this.#counts(failuresOf(client), failuresOf(network));
  }

  /**
   * Adds a failure and answers the counts before it. With `counts: false` the same writes happen without the increment, so both
   * take the same time. `seen` is what {@link read} has answered. The document of a client whose limit was reached then is not
   * written, or thousands of addresses would queue for it.
   */
  async record(clientId: string, address: string, counts: boolean, seen?: FailureCounts): Promise<FailureCounts> {
    const clientFullSeconds = seen?.clientFullSeconds;
    const [client, network] = await Promise.all([
      clientFullSeconds === undefined ? this.#write(clientSubject(clientId), this.#limits.perClient, counts) : [],
      this.#write(addressSubject(address), this.#limits.perAddress, counts),
    ]);
    const before = this.#counts(client, network);
    return clientFullSeconds === undefined ? before : { ...before, clientFullSeconds };
  }

  async #write(subject: string, most: number, counts: boolean): Promise<readonly Date[]> {
    const now = this.#now();
    const live = { $filter: { input: { $ifNull: ['$failures', []] }, cond: { $gt: ['$$this', since(now)] } } };
    const added = { $cond: [{ $lt: [{ $size: '$failures' }, counts ? most : 0] }, [now], []] };
    const pipeline = [
      { $set: { failures: live, expiresAt: new Date(now.getTime() + FAILURE_WINDOW_MS) } },
      { $set: { failures: { $concatArrays: ['$failures', added] } } },
    ];
    for (;;) {
      try {
        const before = await this.#subjects.findOneAndUpdate({ _id: subject }, pipeline, {
          upsert: true,
          returnDocument: 'before',
        });
        return before?.failures ?? [];
      } catch (error) {
        // Another first failure has created the document: this one now adds to it.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  #counts(client: readonly Date[], network: readonly Date[]): FailureCounts {
    const now = this.#now();
    const live = (failures: readonly Date[]) => failures.filter((each) => each > since(now));
    const fullSeconds = (failures: readonly Date[], most: number) => {
      const first = failures.at(-most);
      if (!first) return undefined;
      return Math.max(1, Math.ceil((first.getTime() + FAILURE_WINDOW_MS - now.getTime()) / 1000));
    };
    return {
      addressFailures: live(network).length,
      clientFullSeconds: fullSeconds(live(client), this.#limits.perClient),
      addressFullSeconds: fullSeconds(live(network), this.#limits.perAddress),
    };
  }
}

function since(now: Date): Date {
  return new Date(now.getTime() - FAILURE_WINDOW_MS);
}

function clientSubject(clientId: string): string {
  return `client/${createHash('sha256').update(clientId).digest('base64url')}`;
}

function addressSubject(address: string): string {
  return `address/${address}`;
}
