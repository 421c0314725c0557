/**
 * One connection to Temporal for all workers of a process. The first worker that needs it opens it, and the last one
 * that gives it back closes it. So a server that comes back empty meets a new connection. Caller: supervised-worker.ts.
 */
import { NativeConnection } from '@temporalio/worker';
import { TemporalAccess, type TemporalAccessConfig } from './temporal-access.ts';

/** The shortest time in which Temporal hears of a new token. */
const TOKEN_CHECK_MS = 5_000;

export class SharedConnection {
  readonly #address: string;
  readonly #access: TemporalAccess;
  #users = 0;
  #opening: Promise<NativeConnection> | undefined;
  #renewing: NodeJS.Timeout | undefined;

  /** Throws {@link ConfigError}. */
  constructor(config: TemporalAccessConfig & { readonly TEMPORAL_ADDRESS: string }) {
    this.#address = config.TEMPORAL_ADDRESS;
    this.#access = new TemporalAccess(config);
  }

  /** Throws when the server cannot be reached; every other caller gives the connection back by {@link release}. */
  async take(): Promise<NativeConnection> {
    this.#users += 1;
    const opening = this.#opening ?? this.#open();
    this.#opening = opening;
    try {
      return await opening;
    } catch (error) {
      this.#users -= 1;
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  async #open(): Promise<NativeConnection> {
    const access = this.#access;
    const tls = access.readTls();
    let token = access.token();
    const connection = await NativeConnection.connect({
      address: this.#address,
      ...(tls && { tls }),
      ...(access.hasToken && { apiKey: token }),
    });
    if (!access.hasToken) return connection;
    const renew = async () => {
      if (access.token() === token) return;
      token = access.token();
      await connection.setApiKey(token);
    };
    // A connection that has been closed meanwhile refuses a token.
    this.#renewing = setInterval(() => renew().catch(() => undefined), TOKEN_CHECK_MS).unref();
    return connection;
  }

  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    const opened = this.#opening;
    this.#opening = undefined;
    clearInterval(this.#renewing);
    await (await opened)?.close();
  }
}
