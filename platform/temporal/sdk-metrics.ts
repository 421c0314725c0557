/**
 * The figures of the Temporal SDK (slots, pollers, latencies of tasks): its core counts them itself and serves them at an address of
 * its own, on loopback; `/metrics` of the worker shows them with the worker's, so that there is one address to ask. Caller:
 * temporal-runtime.ts, health-server.ts.
 */
import { randomInt } from 'node:crypto';
import type { TelemetryOptions } from '@temporalio/worker';

type MetricsOptions = NonNullable<TelemetryOptions['metrics']>;

export interface SdkMetrics {
  /** In Prometheus' text format; empty while the core does not answer. */
  readonly read: () => Promise<string>;
}

const HOST = '127.0.0.1';
/** Below the ports that systems give to outgoing connections, above those that services usually have. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000];
const TRIES = 20;
const READ_TIMEOUT_MS = 1_500;

/**
 * Calls `install` with options for the core. It binds the port at once, so it is the judge of whether that is free: when it
 * throws, another is tried.
 */
export function installSdkMetrics(install: (metrics: MetricsOptions) => void): SdkMetrics {
  for (let tries = 1; ; tries++) {
    const address = `${HOST}:${randomInt(FIRST_PORT, LAST_PORT)}`;
    try {
      install({
        // Of the worker's own labels: whose figures they are, Prometheus says.
        attachServiceName: false,
        prometheus: { bindAddress: address, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
      });
      return { read: () => read(`http://${address}/metrics`) };
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

async function read(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}
