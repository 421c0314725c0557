/**
 * Sets up the Temporal runtime of this process: sends its log and metrics to those of the service, and leaves signals
 * to the process.
 */
import { type LogLevel, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from '../log.ts';
import { installSdkMetrics, type SdkMetrics } from './sdk-metrics.ts';

type Members = Readonly<Record<string | symbol, unknown>>;

const LEVELS = { TRACE: 'debug', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Call once per process, before the first worker or connection. */
export function installTemporalRuntime(log: Logger): SdkMetrics {
  const logging = { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) };
  return installSdkMetrics((metrics) =>
    Runtime.install({ logger: temporalLogger(log), telemetryOptions: { logging, metrics }, shutdownSignals: [] }),
  );
}

export function temporalLogger(log: Logger) {
  const write = (level: LogLevel, message: string, members: Members = {}) => {
    // Workflow ids hold a codespace and a UUID: they identify the import, and hold no personal data.
    const { sdkComponent, taskToken: _, ...rest } = members as Record<string, unknown>;
    log[LEVELS[level]]({ component: sdkComponent, ...rest }, message);
  };
  return {
    log: write,
    trace: (message: string, members?: Members) => write('TRACE', message, members),
    debug: (message: string, members?: Members) => write('DEBUG', message, members),
    info: (message: string, members?: Members) => write('INFO', message, members),
    warn: (message: string, members?: Members) => write('WARN', message, members),
    error: (message: string, members?: Members) => write('ERROR', message, members),
  };
}
