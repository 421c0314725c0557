/**
 * Loads the code of a role, checks its configuration, and makes its part and its Temporal worker. Callers:
 * worker-process.ts, start-roles.ts.
 */
import { hostname } from 'node:os';
import type { QueueRole, ReadConfig, TaskPart, WorkerPart, WorkerRole } from '../../platform/area.ts';
import type { Repetition } from '../../platform/process/repeat.ts';
import { SupervisedWorker } from '../../platform/temporal/supervised-worker.ts';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import { tracedWorkerOptions } from '../../platform/temporal/traced-worker.ts';
import { deploymentOptions, keepVersion } from '../../platform/temporal/versioned-worker.ts';
import type { QueueResources, Resources } from './resources.ts';

export interface LoadedRole {
  readonly name: string;
  readonly create: (resources: Resources) => Promise<CreatedRole>;
}

export interface CreatedRole {
  readonly part: TaskPart;
  /** Lets it take tasks. Called once, when the parts of all roles are made. */
  readonly start: () => StartedRole;
}

export interface StartedRole {
  /** Absent where the role has no task queue. */
  readonly worker?: SupervisedWorker;
  /** Absent where builds of the role are not versioned. */
  readonly version?: Repetition | undefined;
}

/** After this time another worker replays a workflow whose worker has ended. */
const STICKY_TIMEOUT = '1s';
/** Short, so that a cancelled activity learns of it soon. */
const HEARTBEAT_THROTTLE = '1s';

/** Throws ConfigError before any connection is opened. */
export async function loadRole(role: WorkerRole, readConfig: ReadConfig): Promise<LoadedRole> {
  if (role.queue === undefined) {
    const code = await role.load();
    code.checkConfig?.(readConfig);
    return {
      name: role.name,
      create: async ({ base, logOf }) => ({
        part: await code.create({ ...base, log: logOf(role.name) }),
        start: () => ({}),
      }),
    };
  }
  const code = await role.load();
  code.checkConfig?.(readConfig);
  const create = async (resources: Resources): Promise<CreatedRole> => {
    const { queue } = resources;
    if (!queue) throw new Error(`${role.name} has a task queue, and the process has no connection to Temporal`);
    const { objects, temporal } = queue;
    const part = await code.create({ ...resources.base, log: resources.logOf(role.name), objects, temporal });
    return { part, start: () => startWorker(role, part, resources, queue) };
  };
  return { name: role.name, create };
}

function startWorker(role: QueueRole, part: WorkerPart, resources: Resources, queue: QueueResources): StartedRole {
  const { config, bundle, connection, temporal, metrics } = queue;
  const log = resources.logOf(role.name);
  const version = { deployment: role.name, buildId: bundle.checksum };
  const { activity, ...traced } = tracedWorkerOptions();
  const worker = new SupervisedWorker({
    connection,
    log,
    worker: {
      ...traced,
      ...(role.workflows.length > 0 && { workflowBundle: { code: bundle.code } }),
      ...(role.cachedWorkflows !== undefined && { maxCachedWorkflows: role.cachedWorkflows }),
      ...(role.localActivitiesAtOnce !== undefined && {
        maxConcurrentLocalActivityExecutions: role.localActivitiesAtOnce,
      }),
      activities: part.activities,
      maxConcurrentActivityTaskExecutions: role.activitiesAtOnce,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
      taskQueue: role.queue,
      namespace: config.TEMPORAL_NAMESPACE,
      identity: `${role.name} ${process.pid}@${hostname()}`,
      dataConverter: createDataConverter(config.PAYLOAD_KEYS),
      workerDeploymentOptions: deploymentOptions(version, config, role.versioning),
      shutdownGraceTime: config.WORKER_GRACE_MS,
      shutdownForceTime: config.WORKER_FORCE_MS,
      interceptors: { activity: [...activity, () => ({ inbound: metrics.activityInterceptor() })] },
    },
  });
  const keeping = { log, temporal, turns: resources.turns };
  return { worker, version: keepVersion(version, config, keeping, role.versioning) };
}
