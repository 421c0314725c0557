/**
 * How often a client's credentials were wrong of late, by client and by address. Caller: the authentication of clients. Keeps no
 * secret, and of client ids a hash, so that a subject takes the same room whatever was sent.
 *
 * Secrets are 256 random bits that nobody guesses, so unlike passwords (customers' log-ins) they need no place taken before they
 * are checked: what comes in order is the counting. A failure and the count before it are one atomic write, so of any number at
 * once exactly as many are told they were wrong as are allowed, and success, which is nearly always, writes nothing.
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

/** Where somebody stands who names this client from this address. */
export interface FailureStanding {
  readonly addressFailures: number;
  /** Of what is full, how many seconds from now it is not; undefined: it is not full. */
  readonly clientFullSeconds: number | undefined;
  readonly addressFullSeconds: number | undefined;
}

interface SubjectDocument {
  readonly _id: string;
  /** Earliest first, never more than the limit. */
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

  /** Once at start. The database removes what no longer counts. */
  async ensureIndexes(): Promise<void> {
    await CLIENT_FAILURES.ensureIndexes(this.#connection);
  }

  async look(clientId: string, address: string): Promise<FailureStanding> {
    const [client, network] = [clientSubject(clientId), addressSubject(address)];
    const found = await this.#subjects.find({ _id: { $in: [client, network] } }).toArray();
    const failuresOf = (subject: string) => found.find(({ _id }) => _id === subject)?.failures ?? [];
    return this.#standing(failuresOf(client), failuresOf(network));
  }

  /**
   * Answers where they stood just before. `counts` false writes as much and counts nothing: a refusal that is no failure takes as
   * long as one. `seen` is what {@link look} said: a client that was full then is left alone, or thousands of addresses would
   * queue for its one document.
   */
  async record(clientId: string, address: string, counts: boolean, seen?: FailureStanding): Promise<FailureStanding> {
    const clientFullSeconds = seen?.clientFullSeconds;
    const [client, network] = await Promise.all([
      clientFullSeconds === undefined ? this.#write(clientSubject(clientId), this.#limits.perClient, counts) : [],
      this.#write(addressSubject(address), this.#limits.perAddress, counts),
    ]);
    const before = this.#standing(client, network);
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
        // Two first failures met: the other one is there now.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  #standing(client: readonly Date[], network: readonly Date[]): FailureStanding {
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
