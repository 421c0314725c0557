/**
 * One connection to Temporal for all workers of a process. The first worker that needs it opens it, the last one that gives it back closes
 * it, so that a server which comes back empty meets a new connection. Caller: supervised-worker.ts.
 */
import { NativeConnection } from '@temporalio/worker';

export class SharedConnection {
  readonly #address: string;
  #users = 0;
  #opening: Promise<NativeConnection> | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  /** Throws when the server cannot be reached; every other caller gives the connection back by {@link release}. */
  async take(): Promise<NativeConnection> {
    this.#users += 1;
    const opening = this.#opening ?? NativeConnection.connect({ address: this.#address });
    this.#opening = opening;
    try {
      return await opening;
    } catch (error) {
      this.#users -= 1;
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    const opened = this.#opening;
    this.#opening = undefined;
    await (await opened)?.close();
  }
}
