/**
 * Starts the worker roles of one process and stops them in order. Roles that share a process share its connections,
 * workflow bundle, metrics and health port; each keeps its own task queue, deployment and log name. Caller:
 * workers/main.ts.
 */
import { type Area, ensureAreaIndexes, type ReadConfig, type WorkerRole } from '../../platform/area.ts';
import { parseConfig } from '../../platform/config.ts';
import { connectPatiently } from '../../platform/process/connect.ts';
import { checkMongo, type HealthCheck } from '../../platform/process/health.ts';
import { serveHealth } from '../../platform/process/health-server.ts';
import type { Started } from '../../platform/process/run-process.ts';
import type { SupervisedWorker } from '../../platform/temporal/supervised-worker.ts';
import { loadRole } from './load-role.ts';
import { openResources, type Resources } from './resources.ts';
import { type RunningRole, startRoles } from './start-roles.ts';
import { shapeOf } from './worker-config.ts';

/** Name of a process of several roles. */
const SHARED_PROCESS = 'light-workers';

const readConfig: ReadConfig = (shape) => parseConfig(shape);

export async function startWorkers(roles: readonly WorkerRole[], areas: readonly Area[]): Promise<Started> {
  // Parse all variables first, so that the error names every wrong one.
  parseConfig(shapeOf(roles, areas));
  const loaded = await Promise.all(roles.map((role) => loadRole(role, readConfig)));
  const name = roles.length === 1 && roles[0] ? roles[0].name : SHARED_PROCESS;
  const resources = await openResources({ name, roles, areas, readConfig });
  await ensureIndexes(roles, areas, resources);
  const running = await startRoles(loaded, resources);
  const workers = running.flatMap(({ worker }) => worker ?? []);
  resources.queue?.metrics.watch(workers);
  const health = await serveHealth({
    host: resources.config.HOST,
    port: resources.config.PORT,
    registry: resources.registry,
    ...(resources.queue && { sdkMetrics: resources.queue.sdkMetrics }),
    checks: listChecks(resources, running, workers),
  });
  return {
    log: resources.log,
    url: health.url,
    stop: [
      async () => health.markStopping(),
      () => untilAll(workers.map((worker) => worker.stop())),
      () => untilAll(running.flatMap(({ repetitions }) => repetitions.map((repetition) => repetition.stop()))),
      () => untilAll(running.flatMap(({ part }) => (part.stop ?? []).map((stop) => stop()))),
      () => resources.close(),
      () => health.close(),
    ],
  };
}

async function ensureIndexes(roles: readonly WorkerRole[], areas: readonly Area[], { base, log }: Resources) {
  const own = areas.filter((area) => area.roles?.some((role) => roles.includes(role)));
  const names = roles.map(({ name }) => name);
  await connectPatiently('mongodb', log, () => ensureAreaIndexes(own, names, base));
}

function listChecks(
  resources: Resources,
  running: readonly RunningRole[],
  workers: readonly SupervisedWorker[],
): Readonly<Record<string, HealthCheck>> {
  const { mongo, keys, objects, queue } = resources;
  return {
    mongodb: checkMongo(mongo),
    ...(objects && { objectStore: () => objects.ping() }),
    ...(queue && {
      temporal: () => Promise.all(workers.map((worker) => worker.ping())),
    }),
    ...(keys.isUsed && { customerKeys: () => keys.ping() }),
    ...Object.assign({}, ...running.map(({ part }) => part.checks)),
  };
}

/**
 * Waits in parallel. Throws the first failure after all have ended, so that one part does not keep the others from
 * stopping.
 */
async function untilAll(ends: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
