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
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { usesObjects } from '../../platform/privileges/process-privileges.ts';
import { connectPatiently } from '../../platform/process/connect.ts';
import { TurnMetrics } from '../../platform/process/turn-metrics.ts';
import { startTracing } from '../../platform/tracing/tracing.ts';
import type { QueueResources } from './queue-resources.ts';
import { objectsShape, roleShape } from './worker-config.ts';

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
  /** Absent where no role reads or writes objects. */
  readonly objects: ObjectStore | undefined;
  /** Absent where no role has a task queue. */
  readonly queue: QueueResources | undefined;
  readonly logOf: (role: string) => Logger;
  /** Has the log of the process; a role replaces it by its own. */
  readonly base: ProcessBase;
  readonly close: () => Promise<void>;
}

/** Waits for servers that are not up yet. */
export async function openResources({ name, roles, areas, readConfig }: ResourcesOptions): Promise<Resources> {
  const config = readConfig(roleShape);
  const logOf = (process: string): Logger => createLog({ level: config.LOG_LEVEL, name: process });
  const log = logOf(name);
  const hasQueue = roles.some(({ queue }) => queue !== undefined);
  // Loaded where they are used, as they cost much of a start: Temporal's SDK here, that of the object store below.
  const openQueue = hasQueue ? (await import('./queue-resources.ts')).prepareQueue(log) : undefined;
  await startTracing({ name, revision: config.BUILD_REVISION }, config);
  const registry = createProcessRegistry({
    name,
    revision: config.BUILD_REVISION,
    roles: roles.map((role) => role.name),
  });
  const mongo = await connectPatiently('mongodb', log, () => connectMongo(config.MONGODB_URI));
  const keys = new KeysConnections((uri) => connectPatiently('keys', log, () => connectMongo(uri)));
  const objects = hasObjects(roles, areas) ? await openObjects(readConfig, log) : undefined;
  const queue = await openQueue?.(readConfig, name, registry);
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
    ...(queue && { temporal: queue.temporal }),
  };
  for (const area of areas) area.provide?.(base, interfaces);
  return {
    config,
    log,
    registry,
    mongo,
    keys,
    objects,
    queue,
    logOf,
    base,
    turns: new TurnMetrics(registry),
    close: async () => {
      await queue?.temporal.close();
      objects?.close();
      await keys.close();
      await mongo.close();
    },
  };
}

function hasObjects(roles: readonly WorkerRole[], areas: readonly Area[]): boolean {
  return usesObjects(
    roles.map(({ name }) => name),
    areas,
  );
}

async function openObjects(readConfig: ReadConfig, log: Logger): Promise<ObjectStore> {
  const config = readConfig(objectsShape);
  const { ObjectStore } = await import('../../platform/object-store/object-store.ts');
  return await connectPatiently('objectStore', log, () => ObjectStore.open(config));
}
