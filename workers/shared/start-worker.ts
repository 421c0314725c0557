/** Makes the Temporal worker of a role, and keeps its version. Caller: load-role.ts, where a role has a task queue. */
import { hostname } from 'node:os';
import type { QueueRole, WorkerPart } from '../../platform/area.ts';
import type { Repetition } from '../../platform/process/repeat.ts';
import { SupervisedWorker } from '../../platform/temporal/supervised-worker.ts';
import { createDataConverter } from '../../platform/temporal/temporal.ts';
import { tracedWorkerOptions } from '../../platform/temporal/traced-worker.ts';
import { deploymentOptions, keepVersion } from '../../platform/temporal/versioned-worker.ts';
import type { QueueResources } from './queue-resources.ts';
import type { Resources } from './resources.ts';

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

export function startWorker(
  role: QueueRole,
  part: WorkerPart,
  resources: Resources,
  queue: QueueResources,
): StartedRole {
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
      ...(part.activitiesPerSecond !== undefined && { maxTaskQueueActivitiesPerSecond: part.activitiesPerSecond }),
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
