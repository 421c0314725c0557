/**
 * The connections of a process to the databases of keys: one for each address. Callers: the processes, for
 * `StoreBase.connectKeys`.
 */
import type { Connection } from 'mongoose';
import { checkMongo } from '../process/health.ts';

export class KeysConnections {
  readonly #open: (uri: string) => Promise<Connection>;
  readonly #connections = new Map<string, Promise<Connection>>();

  /** `open` decides whether the process waits for a server that is not up yet. */
  constructor(open: (uri: string) => Promise<Connection>) {
    this.#open = open;
  }

  readonly connect = (uri: string): Promise<Connection> => {
    const connection = this.#connections.get(uri) ?? this.#open(uri);
    this.#connections.set(uri, connection);
    return connection;
  };

  get isUsed(): boolean {
    return this.#connections.size > 0;
  }

  /** For readiness: throws when a database does not answer. */
  async ping(): Promise<void> {
    for (const connection of await Promise.all(this.#connections.values())) await checkMongo(connection)();
  }

  async close(): Promise<void> {
    for (const connection of await Promise.all(this.#connections.values())) await connection.close();
  }
}
