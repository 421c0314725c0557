/**
 * The disabled clients, whose live tokens are refused, for processes without `CLIENT_SECRET_KEY`. Reads the list from
 * the database every few seconds, verifies its signature with the published key set, and answers from memory. A list
 * that is missing, forged or earlier than the last one changes nothing; nor does a database or an authentication server
 * that is away. Callers: the API, the decoder.
 */
import { errors, type JWTVerifyGetKey } from 'jose';
import type { Connection } from 'mongoose';
import { Gauge, type Registry } from 'prom-client';
import type { Logger } from '../../platform/log.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { DISABLED_LIST, type DisabledList, LIST_ID, OLD_AFTER_MS, openList } from './disabled-list.ts';

export interface DisabledClientsOptions {
  readonly connection: Connection;
  readonly log: Logger;
  /** Finds a key of the published key set. */
  readonly getKey: JWTVerifyGetKey;
  readonly registry?: Registry;
  readonly now?: () => number;
  /** Shorter in tests. */
  readonly pollMs?: number;
}

/** Together with the time of a read, well within the promised ten seconds. */
const POLL_MS = 4_000;
const READ_LIMIT_MS = 3_000;

/** The fault of the list that was found. */
class ListFault extends Error {}

export class DisabledClients {
  readonly #collection;
  readonly #log: Logger;
  readonly #getKey: JWTVerifyGetKey;
  readonly #now: () => number;
  readonly #startedAt: number;
  #list: DisabledList | undefined;
  /** The text of that list. */
  #signed: string | undefined;
  #trouble = '';
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  /** Reads the first list if it can. Until one is known, no token is accepted. */
  static async start(options: DisabledClientsOptions): Promise<DisabledClients> {
    const clients = new DisabledClients(options);
    await clients.#poll();
    clients.#timer = setInterval(() => clients.#poll(), options.pollMs ?? POLL_MS).unref();
    return clients;
  }

  private constructor({ connection, log, getKey, registry, now = Date.now }: DisabledClientsOptions) {
    this.#collection = DISABLED_LIST.open(connection);
    this.#log = log;
    this.#getKey = getKey;
    this.#now = now;
    this.#startedAt = now();
    if (registry) this.#showAge(registry);
  }

  /** Throws UNAVAILABLE while no list is known, as at a start without the authentication server. */
  readonly includes = async (clientId: string): Promise<boolean> => {
    if (!this.#list) await this.#poll();
    if (this.#list) return this.#list.clients.has(clientId);
    throw new ServiceError('UNAVAILABLE', 'Access tokens cannot be checked at the moment. Try again shortly.', {
      headers: { 'retry-after': '2' },
    });
  };

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  async #poll(): Promise<void> {
    // Only one read runs at a time, also when it hangs.
    this.#reading ??= this.#refresh().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #refresh(): Promise<void> {
    try {
      await this.#read();
      if (this.#trouble !== '') this.#log.info('disabled clients are known again');
      this.#trouble = '';
    } catch (err) {
      const trouble = String(err);
      if (trouble === this.#trouble) return;
      this.#trouble = trouble;
      if (err instanceof ListFault)
        this.#log.error({ err }, 'the list of disabled clients is refused: the last one is used');
      else this.#log.warn({ err }, 'disabled clients cannot be read: the last list is used');
    }
  }

  async #read(): Promise<void> {
    const found = await this.#collection.findOne({ _id: LIST_ID }, { signal: AbortSignal.timeout(READ_LIMIT_MS) });
    if (!found) throw new ListFault('there is none');
    if (found.signed === this.#signed) return;
    const list = await this.#verify(found.signed);
    if (this.#list && list.signedAt < this.#list.signedAt) throw new ListFault('it is earlier than the last one');
    // An attacker who writes an old list back must not have it believed by a process that starts.
    if (!this.#list && this.#now() - list.signedAt > OLD_AFTER_MS) throw new ListFault('it is too old for a start');
    [this.#list, this.#signed] = [list, found.signed];
  }

  async #verify(signed: string): Promise<DisabledList> {
    try {
      return await openList(signed, this.#getKey as Parameters<typeof openList>[1]);
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new ListFault('it has a wrong signature', { cause: error });
      throw error;
    }
  }

  #showAge(registry: Registry): void {
    const age = () => Math.max(0, this.#now() - (this.#list?.signedAt ?? this.#startedAt)) / 1_000;
    new Gauge({
      name: 'auth_disabled_clients_age_seconds',
      help: 'Time since the list of disabled clients in use was signed, which happens every 30 s; without one, since the start',
      registers: [registry],
      collect() {
        this.set(age());
      },
    });
  }
}
