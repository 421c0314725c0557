/**
 * The disabled clients, whose live tokens are refused. A process that verifies tokens reads the list from the database
 * every few seconds and answers from memory. While the database is unavailable, it uses the last list. The list holds
 * only clients whose tokens may still live, so it stays small.
 */
import type { Connection } from 'mongoose';
import type { Logger } from '../../platform/log.ts';
import { CLIENTS } from './client-types.ts';
import { LONGEST_LIFETIME_SECONDS } from './signing-key-times.ts';

/** The longest lifetime of a token, and an hour for clock differences. */
export const DISABLED_KEPT_MS = (LONGEST_LIFETIME_SECONDS + 3_600) * 1000;
/** Together with the time of a read, well within the promised ten seconds. */
const POLL_MS = 4_000;
const READ_LIMIT_MS = 3_000;
/** More than an operator can disable by hand in a day. Beyond it only the newest are known, and the log says so. */
const MOST_CLIENTS = 100_000;

export interface DisabledClientsOptions {
  readonly connection: Connection;
  readonly log: Logger;
  readonly now?: () => Date;
  /** Shorter in tests. */
  readonly pollMs?: number;
}

export class DisabledClients {
  readonly #collection;
  readonly #log: Logger;
  readonly #now: () => Date;
  #ids: ReadonlySet<string> = new Set();
  #away = false;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  /** Reads the first list: no request is checked without one. */
  static async start(options: DisabledClientsOptions): Promise<DisabledClients> {
    const clients = new DisabledClients(options);
    clients.#ids = await clients.#read();
    clients.#timer = setInterval(() => clients.#poll(), options.pollMs ?? POLL_MS).unref();
    return clients;
  }

  private constructor({ connection, log, now = () => new Date() }: DisabledClientsOptions) {
    this.#collection = CLIENTS.open(connection);
    this.#log = log;
    this.#now = now;
  }

  readonly includes = (clientId: string): boolean => this.#ids.has(clientId);

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  #poll(): void {
    // Only one read runs at a time, also when it hangs.
    this.#reading ??= this.#refresh().finally(() => {
      this.#reading = undefined;
    });
  }

  async #refresh(): Promise<void> {
    try {
      this.#ids = await this.#read();
      if (this.#away) this.#log.info('disabled clients are known again');
      this.#away = false;
    } catch (err) {
      if (!this.#away) this.#log.warn({ err }, 'disabled clients cannot be read: the last list is used');
      this.#away = true;
    }
  }

  async #read(): Promise<ReadonlySet<string>> {
    const since = new Date(this.#now().getTime() - DISABLED_KEPT_MS);
    const found = await this.#collection
      .find({ disabledAt: { $gt: since } }, { projection: { _id: 1 }, signal: AbortSignal.timeout(READ_LIMIT_MS) })
      .sort({ disabledAt: -1 })
      .limit(MOST_CLIENTS)
      .toArray();
    if (found.length === MOST_CLIENTS)
      this.#log.error({ clients: found.length }, 'more disabled clients than are kept');
    return new Set(found.map(({ _id }) => _id));
  }
}
