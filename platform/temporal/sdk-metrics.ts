/**
 * The metrics of the Temporal SDK: slots, pollers, latencies of tasks. Its core serves them at a loopback address; the
 * worker's `/metrics` adds them to its own, so that there is one address to scrape. Caller: temporal-runtime.ts,
 * health-server.ts.
 */
import { randomInt } from 'node:crypto';
import type { TelemetryOptions } from '@temporalio/worker';

type MetricsOptions = NonNullable<TelemetryOptions['metrics']>;

export interface SdkMetrics {
  /** In Prometheus' text format; empty while the core does not answer. */
  readonly read: () => Promise<string>;
}

const HOST = '127.0.0.1';
/** Below the ephemeral ports of common systems, above the ports of common services. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000];
const TRIES = 20;
const READ_TIMEOUT_MS = 1_500;

/**
 * Calls `install` with options for the core. The core binds the port at once, so only `install` finds out whether it is
 * free: when it throws, this tries another port.
 */
export function installSdkMetrics(install: (metrics: MetricsOptions) => void): SdkMetrics {
  for (let tries = 1; ; tries++) {
    const address = `${HOST}:${randomInt(FIRST_PORT, LAST_PORT)}`;
    try {
      install({
        // Prometheus adds labels for the target itself.
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
