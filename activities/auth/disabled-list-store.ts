/**
 * The signed list of disabled clients in the database. Callers may change it: the client store, and the authentication
 * server, which keeps it (disabled-list-keeper.ts). A write replaces the list that was read, so no change is lost.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { DISABLED_LIST, type DisabledList, deriveListKey, LIST_ID, openList, signList } from './disabled-list.ts';

export interface StoredList {
  readonly isStored: boolean;
  /** As stored: other writers of the database may have put anything there. */
  readonly signed?: unknown;
  /** Undefined when there is none, or the service did not sign it. */
  readonly list: DisabledList | undefined;
}

const TRIES = 20;
const MAX_PAUSE_MS = 50;
const READ_LIMIT_MS = 3_000;

export class DisabledListStore {
  readonly #collection;
  readonly #key;
  readonly #now: () => Date;

  /** `secretKey`: the 32 bytes of `CLIENT_SECRET_KEY`. */
  constructor(connection: Connection, secretKey: Uint8Array, now: () => Date = () => new Date()) {
    this.#collection = DISABLED_LIST.open(connection);
    this.#key = deriveListKey(secretKey);
    this.#now = now;
  }

  async read(): Promise<StoredList> {
    const found = await this.#collection.findOne({ _id: LIST_ID }, { signal: AbortSignal.timeout(READ_LIMIT_MS) });
    if (!found) return { isStored: false, list: undefined };
    const list = await openList(found.signed, () => this.#key.publicKey).catch(() => undefined);
    return { isStored: true, signed: found.signed, list };
  }

  /** False also when there is no list. */
  async lists(clientId: string): Promise<boolean> {
    return (await this.read()).list?.clients.has(clientId) ?? false;
  }

  /** Undefined when another writer was faster. `newerThan`: the time of the newest list that the caller knows. */
  async write(
    replaced: StoredList,
    clients: DisabledList['clients'],
    newerThan: number,
  ): Promise<DisabledList | undefined> {
    const list = { clients, signedAt: Math.max(this.#now().getTime(), newerThan + 1) };
    const signed = await signList(list, this.#key);
    try {
      if (!replaced.isStored) await this.#collection.insertOne({ _id: LIST_ID, signed });
      else {
        const { matchedCount } = await this.#collection.updateOne(
          { _id: LIST_ID, signed: { $eq: (replaced.signed ?? null) as string } },
          { $set: { signed } },
        );
        if (matchedCount === 0) return undefined;
      }
      return list;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  /**
   * Throws UNAVAILABLE when the list is missing or forged: only the authentication server, which may know the last one,
   * makes a new one.
   */
  async add(clientId: string, disabledAt: Date): Promise<void> {
    await this.#change((clients) => clients.set(clientId, disabledAt.getTime()));
  }

  /** Throws as {@link add}. */
  async remove(clientId: string): Promise<void> {
    await this.#change((clients) => clients.delete(clientId));
  }

  async #change(change: (clients: Map<string, number>) => unknown): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const stored = await this.read();
      if (!stored.list) break;
      const clients = new Map(stored.list.clients);
      change(clients);
      if (await this.write(stored, clients, stored.list.signedAt)) return;
      await delay(Math.random() * MAX_PAUSE_MS);
    }
    throw new ServiceError(
      'UNAVAILABLE',
      'The client was changed, but the list of disabled clients was not: live tokens are accepted as before. The ' +
        'authentication server writes the list within seconds when it runs; then repeat this.',
      { headers: { 'retry-after': '5' } },
    );
  }
}
