/** The resources of roles with a task queue: Temporal's runtime and connections, the workflow bundle. Caller: resources.ts. */
import type { Registry } from 'prom-client';
import type { ReadConfig } from '../../platform/area.ts';
import type { Logger } from '../../platform/log.ts';
import type { SdkMetrics } from '../../platform/temporal/sdk-metrics.ts';
import { SharedConnection } from '../../platform/temporal/shared-connection.ts';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import { installTemporalRuntime } from '../../platform/temporal/temporal-runtime.ts';
import { bundlePathInUse } from '../../platform/temporal/traced-worker.ts';
import { WorkerMetrics } from '../../platform/temporal/worker-metrics.ts';
import { loadWorkflowBundle, type WorkflowBundle } from './bundle.ts';
import { type QueueConfig, queueShape, roleShape } from './worker-config.ts';

export interface QueueResources {
  readonly config: QueueConfig;
  readonly temporal: TemporalClient;
  readonly connection: SharedConnection;
  readonly bundle: WorkflowBundle;
  readonly metrics: WorkerMetrics;
  readonly sdkMetrics: SdkMetrics;
}

export type OpenQueue = (readConfig: ReadConfig, name: string, registry: Registry) => Promise<QueueResources>;

/** Call once, before anything of Temporal is made; the result when tracing has started. */
export function prepareQueue(log: Logger): OpenQueue {
  const sdkMetrics = installTemporalRuntime(log);
  return async (readConfig, name, registry) => {
    const config = readConfig({ ...roleShape, ...queueShape });
    return {
      config,
      sdkMetrics,
      bundle: await loadWorkflowBundle(bundlePathInUse(config.WORKFLOW_BUNDLE)),
      temporal: new TemporalClient(config, name),
      connection: new SharedConnection(config),
      metrics: new WorkerMetrics(registry),
    };
  };
}
