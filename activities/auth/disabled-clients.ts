/**
 * Which clients' live tokens are refused, as a process that verifies tokens knows it: read from the database every few seconds,
 * answered from memory. While the database is away the last list is used. Only clients whose tokens may still live are
 * listed, so the list stays small however many were ever disabled.
 */
import type { Connection } from 'mongoose';
import type { Logger } from '../../platform/log.ts';
import { CLIENTS } from './client-types.ts';
import { LONGEST_LIFETIME_SECONDS } from './signing-key-times.ts';

/** The longest life a token can have, and an hour for clocks. */
export const DISABLED_KEPT_MS = (LONGEST_LIFETIME_SECONDS + 3_600) * 1000;
/** With the time that a read takes, well within the promised ten seconds. */
const POLL_MS = 4_000;
const READ_LIMIT_MS = 3_000;
/** More than an operator can disable by hand in a day; the newest are known then, and the log says so. */
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
    // One read at a time, also when it hangs.
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
