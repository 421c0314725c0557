/**
 * How a process reaches Temporal: a lazy client connection and the one data converter (encryption, hidden failures).
 *
 * Callers: API handlers that start workflows, the sweep, the workers. A client made here connects at its first call
 * and reconnects by itself, so a process starts and lives on while Temporal is away.
 */
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { tracing } from '../tracing/tracing.ts';
import { createPayloadCodec, parsePayloadKeys } from './payload-codec.ts';
import { TemporalAccess, type TemporalAccessConfig } from './temporal-access.ts';

export interface TemporalConfig extends TemporalAccessConfig {
  readonly TEMPORAL_ADDRESS: string;
  readonly TEMPORAL_NAMESPACE: string;
  readonly PAYLOAD_KEYS: string;
}

/** Deadline of one call, retries included; then the caller gets an error. */
const CALL_TIMEOUT_MS = 5_000;
/**
 * Between two attempts to connect. The default grows to two minutes, so a Temporal that is back would seem unavailable
 * for that time.
 */
const RECONNECT_WITHIN_MS = 1_000;

/** The module that the workflow bundle, clients and workers must share. */
export const FAILURE_CONVERTER_PATH = fileURLToPath(new URL('./failure-converter.ts', import.meta.url));

export function createDataConverter(payloadKeys: string): DataConverter {
  return {
    failureConverterPath: FAILURE_CONVERTER_PATH,
    payloadCodecs: [createPayloadCodec(parsePayloadKeys(payloadKeys))],
  };
}

export class TemporalClient {
  readonly #connection: Connection;
  readonly client: Client;

  /** `name` is the process, as Temporal shows it. Throws {@link ConfigError} for unusable files of the access. */
  constructor(config: TemporalConfig, name = 'samferd') {
    const access = new TemporalAccess(config);
    const tls = access.readTls();
    this.#connection = Connection.lazy({
      address: config.TEMPORAL_ADDRESS,
      ...(tls && { tls }),
      ...(access.hasToken && { apiKey: access.token }),
      connectTimeout: CALL_TIMEOUT_MS,
      channelArgs: { 'grpc.max_reconnect_backoff_ms': RECONNECT_WITHIN_MS },
    });
    const interceptors = tracing()?.clientInterceptors;
    this.client = new Client({
      connection: this.#connection,
      ...(interceptors && { interceptors }),
      namespace: config.TEMPORAL_NAMESPACE,
      identity: `${name} ${process.pid}@${hostname()}`,
      dataConverter: createDataConverter(config.PAYLOAD_KEYS),
    });
  }

  /** Runs `call` with a deadline over its retries, so that a caller gets an answer in seconds. */
  async withDeadline<T>(call: (client: Client) => Promise<T>, timeoutMs = CALL_TIMEOUT_MS): Promise<T> {
    return await this.#connection.withDeadline(Date.now() + timeoutMs, () => call(this.client));
  }

  /** For readiness: throws when the namespace cannot be reached. */
  async ping(): Promise<void> {
    await this.withDeadline(
      (client) => this.#connection.workflowService.describeNamespace({ namespace: client.options.namespace }),
      2_000,
    );
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}
