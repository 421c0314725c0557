/**
 * What the worker processes have in common: log, runtime, connections, health port, and an orderly end. A worker's own
 * file says which activities it offers and on which queue.
 */
import type { VersioningBehavior } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import type { Connection } from 'mongoose';
import type { z } from 'zod';
import { createLog, type Logger } from '../../platform/log.ts';
import { createProcessRegistry } from '../../platform/metrics/process-metrics.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { connectPatiently } from '../../platform/process/connect.ts';
import type { HealthCheck } from '../../platform/process/health.ts';
import { serveHealth } from '../../platform/process/health-server.ts';
import type { Repeating } from '../../platform/process/repeat.ts';
import type { Started } from '../../platform/process/run-process.ts';
import { TurnMetrics } from '../../platform/process/turn-metrics.ts';
import { SupervisedWorker } from '../../platform/temporal/supervised-worker.ts';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import { installTemporalRuntime } from '../../platform/temporal/temporal-runtime.ts';
import { bundlePathInUse, tracedWorkerOptions } from '../../platform/temporal/traced-worker.ts';
import { deploymentOptions, keepVersion } from '../../platform/temporal/versioned-worker.ts';
import { WorkerMetrics } from '../../platform/temporal/worker-metrics.ts';
import { startTracing } from '../../platform/tracing/tracing.ts';
import { loadWorkflowBundle, type WorkflowBundle } from './bundle.ts';
import { workerIdentity, type workerShape } from './worker-config.ts';

export type WorkerConfig = z.infer<z.ZodObject<typeof workerShape>>;

/** What a worker's own file gets to build its part from. */
export interface WorkerBase {
  readonly log: Logger;
  readonly mongo: Connection;
  readonly objects: ObjectStore;
  readonly metrics: WorkerMetrics;
  readonly bundle: WorkflowBundle;
  readonly repeating: Repeating;
}

/** What is peculiar to one worker. */
export interface WorkerPart {
  readonly taskQueue: string;
  /**
   * Of workers that run workflows: `PINNED` where these are short and end with the build they began with; `AUTO_UPGRADE` where they
   * outlive deployments, so that every change of them is made with `patched`. Absent: activities alone, for whichever build asks.
   */
  readonly versioning?: VersioningBehavior;
  readonly options: Omit<WorkerOptions, 'connection' | 'taskQueue' | 'namespace' | 'dataConverter'>;
  readonly checks?: Readonly<Record<string, HealthCheck>>;
  /** Run in this order, after the worker has drained. */
  readonly stop?: readonly (() => Promise<unknown>)[];
}

export async function startWorker(
  name: string,
  config: WorkerConfig,
  createPart: (base: WorkerBase) => Promise<WorkerPart>,
): Promise<Started> {
  const log = createLog({ level: config.LOG_LEVEL, name });
  const sdkMetrics = installTemporalRuntime(log);
  await startTracing({ name, revision: config.BUILD_REVISION }, config);
  const bundle = await loadWorkflowBundle(bundlePathInUse(config.WORKFLOW_BUNDLE));
  const metrics = new WorkerMetrics(createProcessRegistry({ name, revision: config.BUILD_REVISION }));
  const mongo = await connectPatiently('mongodb', log, () => connectMongo(config.MONGODB_URI));
  const objects = await connectPatiently('objectStore', log, () => ObjectStore.open(config));
  const repeating = { log, turns: new TurnMetrics(metrics.registry) };
  const part = await createPart({ log, mongo, objects, metrics, bundle, repeating });
  const worker = superviseWorker(name, config, { log, metrics, bundle }, part);
  const version = { deployment: name, buildId: bundle.checksum };
  const versions = keepVersion(version, config, repeating, part.versioning);
  const health = await serveHealth({
    host: config.HOST,
    port: config.PORT,
    registry: metrics.registry,
    sdkMetrics,
    checks: {
      mongodb: async () => mongo.db?.command({ ping: 1 }, { timeoutMS: 2_000 }),
      objectStore: () => objects.ping(),
      temporal: () => worker.ping(),
      ...part.checks,
    },
  });
  return {
    log,
    url: health.url,
    stop: [
      async () => health.markStopping(),
      () => worker.stop(),
      () => versions.stop(),
      ...(part.stop ?? []),
      async () => objects.close(),
      () => mongo.close(),
      () => health.close(),
    ],
  };
}

function superviseWorker(
  name: string,
  config: WorkerConfig,
  { log, metrics, bundle }: Pick<WorkerBase, 'log' | 'metrics' | 'bundle'>,
  { taskQueue, options, versioning }: WorkerPart,
): SupervisedWorker {
  const { activity, ...traced } = tracedWorkerOptions();
  const worker = new SupervisedWorker({
    address: config.TEMPORAL_ADDRESS,
    log,
    worker: {
      ...options,
      ...traced,
      taskQueue,
      namespace: config.TEMPORAL_NAMESPACE,
      identity: workerIdentity(name),
      dataConverter: createDataConverter(config.PAYLOAD_KEYS),
      workerDeploymentOptions: deploymentOptions({ deployment: name, buildId: bundle.checksum }, config, versioning),
      shutdownGraceTime: config.WORKER_GRACE_MS,
      shutdownForceTime: config.WORKER_FORCE_MS,
      interceptors: { activity: [...activity, () => ({ inbound: metrics.activityInterceptor() })] },
    },
  });
  metrics.watch(worker);
  return worker;
}
