/**
 * Keeps the signed list of disabled clients. It signs the list anew every half minute, adds missing clients, and drops
 * those whose tokens have ended. When the stored list was removed or replaced, it writes back the last list that it
 * knows. Answers from memory which clients are disabled for the authentication server itself; there also those whose
 * record has a wrong MAC. Any number may run.
 */
import type { Connection } from 'mongoose';
import type { Logger } from '../../platform/log.ts';
import { ClientMac } from './client-mac.ts';
import { CLIENTS, type ClientDocument } from './client-types.ts';
import { DISABLED_KEPT_MS, type DisabledList, SIGNED_EVERY_MS } from './disabled-list.ts';
import { DisabledListStore, type StoredList } from './disabled-list-store.ts';

export interface DisabledListKeeperOptions {
  readonly connection: Connection;
  /** The 32 bytes of `CLIENT_SECRET_KEY`. */
  readonly secretKey: Uint8Array;
  readonly log: Logger;
  /** Called when a list was found that the service did not sign, or an earlier one, or none where there was one. */
  readonly onForeign?: () => void;
  readonly now?: () => Date;
  /** Shorter in tests. */
  readonly everyMs?: number;
}

/** Well within the ten seconds after which a disabled client's tokens are refused. */
const EVERY_MS = 4_000;
const READ_LIMIT_MS = 3_000;
/** More than an operator can disable by hand in a day. A listed client stays listed; what finds no room is logged. */
const MOST_CLIENTS = 100_000;
/** Records with a wrong MAC may take half of the room, so that nobody can fill the list with them. */
const MOST_WITH_UNTRUSTED = MOST_CLIENTS / 2;
const MAX_ID_LENGTH = 256;

export class DisabledListKeeper {
  readonly #options: DisabledListKeeperOptions;
  readonly #store: DisabledListStore;
  readonly #records;
  readonly #mac: ClientMac;
  readonly #now: () => Date;
  /** The newest list that this process has seen or written. */
  #known: DisabledList | undefined;
  #untrusted: ReadonlySet<string> = new Set();
  #isAway = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** Writes the first list: no token is checked without one. */
  static async start(options: DisabledListKeeperOptions): Promise<DisabledListKeeper> {
    const keeper = new DisabledListKeeper(options);
    await keeper.#keep();
    keeper.#timer = setInterval(() => keeper.#turn(), options.everyMs ?? EVERY_MS).unref();
    return keeper;
  }

  private constructor(options: DisabledListKeeperOptions) {
    const { connection, secretKey, now = () => new Date() } = options;
    this.#options = options;
    this.#store = new DisabledListStore(connection, secretKey, now);
    this.#records = CLIENTS.open(connection);
    this.#mac = new ClientMac(secretKey);
    this.#now = now;
  }

  readonly includes = (clientId: string): boolean =>
    this.#untrusted.has(clientId) || (this.#known?.clients.has(clientId) ?? false);

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #turn(): void {
    // Only one runs at a time, also when it hangs.
    this.#running ??= this.#tryToKeep().finally(() => {
      this.#running = undefined;
    });
  }

  async #tryToKeep(): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#keep();
      if (this.#isAway) log.info('the list of disabled clients is kept again');
      this.#isAway = false;
    } catch (err) {
      if (!this.#isAway) log.warn({ err }, 'the list of disabled clients cannot be kept');
      this.#isAway = true;
    }
  }

  async #keep(): Promise<void> {
    // In this order: a client that is enabled in between has left the list by then, and the write below fails.
    const stored = await this.#store.read();
    const records = await this.#records.find({}, { signal: AbortSignal.timeout(READ_LIMIT_MS) }).toArray();
    this.#untrusted = new Set(records.filter((record) => !this.#mac.isTrusted(record)).map(({ _id }) => _id));
    const isRight = this.#isRight(stored);
    if (isRight) this.#known = stored.list;
    const clients = this.#listClients(records);
    const now = this.#now().getTime();
    const known = this.#known ?? { signedAt: 0, clients: new Map<string, number>() };
    const isDue = known.signedAt + SIGNED_EVERY_MS <= now;
    if (isRight && !isDue && areSame(clients, known.clients)) return;
    // When another process was faster, the next turn reads what it wrote.
    this.#known = (await this.#store.write(stored, clients, known.signedAt)) ?? this.#known;
  }

  #isRight({ isStored, list }: StoredList): boolean {
    if (list && list.signedAt >= (this.#known?.signedAt ?? 0)) return true;
    if (!isStored && !this.#known) return false;
    const found = list ? 'an earlier one' : isStored ? 'one with a wrong signature' : 'none';
    this.#options.log.error({ found }, 'the list of disabled clients is not what the service wrote: it is replaced');
    this.#options.onForeign?.();
    return false;
  }

  #listClients(records: readonly Pick<ClientDocument, '_id' | 'disabledAt'>[]): ReadonlyMap<string, number> {
    const now = this.#now().getTime();
    const isKept = (disabledAt: number) => disabledAt > now - DISABLED_KEPT_MS;
    const clients = new Map([...(this.#known?.clients ?? [])].filter(([, disabledAt]) => isKept(disabledAt)));
    let leftOut = 0;
    for (const { _id, disabledAt } of records) {
      if (!(disabledAt instanceof Date) || clients.has(_id)) continue;
      const at = Math.min(disabledAt.getTime(), now);
      if (!isKept(at)) continue;
      const isUntrusted = this.#untrusted.has(_id);
      const hasRoom = clients.size < (isUntrusted ? MOST_WITH_UNTRUSTED : MOST_CLIENTS);
      if (hasRoom && String(_id).length <= MAX_ID_LENGTH) clients.set(_id, at);
      else leftOut += 1;
    }
    if (leftOut > 0) {
      this.#options.log.error({ leftOut }, 'the list of disabled clients has no room for more records');
      this.#options.onForeign?.();
    }
    return clients;
  }
}

function areSame(one: DisabledList['clients'], other: DisabledList['clients']): boolean {
  return one.size === other.size && [...one.keys()].every((id) => other.has(id));
}
