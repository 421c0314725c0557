/**
 * The resources that the roles of a worker process share: configuration, connections, metrics, the workflow bundle.
 * Caller: worker-process.ts.
 */
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { z } from 'zod';
import type { Area, ProcessBase, ReadConfig, WorkerRole } from '../../platform/area.ts';
import { eventEnvironment } from '../../platform/events/outbox.ts';
import { Interfaces } from '../../platform/interfaces.ts';
import { createLog, type Logger } from '../../platform/log.ts';
import { createProcessRegistry } from '../../platform/metrics/process-metrics.ts';
import { KeysConnections } from '../../platform/mongo/keys-connections.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { connectPatiently } from '../../platform/process/connect.ts';
import { TurnMetrics } from '../../platform/process/turn-metrics.ts';
import type { SdkMetrics } from '../../platform/temporal/sdk-metrics.ts';
import { SharedConnection } from '../../platform/temporal/shared-connection.ts';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import { installTemporalRuntime } from '../../platform/temporal/temporal-runtime.ts';
import { bundlePathInUse } from '../../platform/temporal/traced-worker.ts';
import { WorkerMetrics } from '../../platform/temporal/worker-metrics.ts';
import { startTracing } from '../../platform/tracing/tracing.ts';
import { loadWorkflowBundle, type WorkflowBundle } from './bundle.ts';
import { type QueueConfig, queueShape, roleShape } from './worker-config.ts';

export interface ResourcesOptions {
  readonly name: string;
  readonly roles: readonly WorkerRole[];
  readonly areas: readonly Area[];
  readonly readConfig: ReadConfig;
}

export interface Resources {
  readonly config: z.infer<z.ZodObject<typeof roleShape>>;
  readonly log: Logger;
  readonly registry: Registry;
  readonly turns: TurnMetrics;
  readonly mongo: Connection;
  readonly keys: KeysConnections;
  /** Absent where no role has a task queue. */
  readonly queue: QueueResources | undefined;
  readonly logOf: (role: string) => Logger;
  /** Has the log of the process; a role replaces it by its own. */
  readonly base: ProcessBase;
  readonly close: () => Promise<void>;
}

export interface QueueResources {
  readonly config: QueueConfig;
  readonly objects: ObjectStore;
  readonly temporal: TemporalClient;
  readonly connection: SharedConnection;
  readonly bundle: WorkflowBundle;
  readonly metrics: WorkerMetrics;
  readonly sdkMetrics: SdkMetrics;
}

/** Waits for servers that are not up yet. */
export async function openResources({ name, roles, areas, readConfig }: ResourcesOptions): Promise<Resources> {
  const config = readConfig(roleShape);
  const logOf = (process: string): Logger => createLog({ level: config.LOG_LEVEL, name: process });
  const log = logOf(name);
  const hasQueue = roles.some(({ queue }) => queue !== undefined);
  const sdkMetrics = hasQueue ? installTemporalRuntime(log) : undefined;
  await startTracing({ name, revision: config.BUILD_REVISION }, config);
  const registry = createProcessRegistry({
    name,
    revision: config.BUILD_REVISION,
    roles: roles.map((role) => role.name),
  });
  const mongo = await connectPatiently('mongodb', log, () => connectMongo(config.MONGODB_URI));
  const keys = new KeysConnections((uri) => connectPatiently('keys', log, () => connectMongo(uri)));
  const queue = sdkMetrics && (await openQueueResources(readConfig, log, registry, sdkMetrics));
  const interfaces = new Interfaces();
  const base: ProcessBase = {
    log,
    mongo,
    registry,
    areas,
    readConfig,
    interfaces,
    connectKeys: keys.connect,
    eventEnvironment: eventEnvironment(config.ENVIRONMENT),
  };
  for (const area of areas) area.provide?.(base, interfaces);
  return {
    config,
    log,
    registry,
    mongo,
    keys,
    queue,
    logOf,
    base,
    turns: new TurnMetrics(registry),
    close: async () => {
      await queue?.temporal.close();
      queue?.objects.close();
      await keys.close();
      await mongo.close();
    },
  };
}

async function openQueueResources(
  readConfig: ReadConfig,
  log: Logger,
  registry: Registry,
  sdkMetrics: SdkMetrics,
): Promise<QueueResources> {
  const config = readConfig({ ...roleShape, ...queueShape });
  return {
    config,
    sdkMetrics,
    bundle: await loadWorkflowBundle(bundlePathInUse(config.WORKFLOW_BUNDLE)),
    objects: await connectPatiently('objectStore', log, () => ObjectStore.open(config)),
    temporal: new TemporalClient(config),
    connection: new SharedConnection(config.TEMPORAL_ADDRESS),
    metrics: new WorkerMetrics(registry),
  };
}
