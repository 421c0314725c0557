/**
 * Assembles a planner process: it loads the snapshot and mounts the routers. The process listens at once and is ready
 * with the first snapshot. From then on it works without database and object store, with the snapshot it has. Callers:
 * `server.ts` and tests.
 */
import pino, { type DestinationStream } from 'pino';
import { findPlannerPointer } from '../../activities/shared/planner-snapshot.ts';
import type { TripPlannerProcess } from '../../planner/index.ts';
import { createLog, type Logger } from '../../platform/log.ts';
import { createProcessRegistry } from '../../platform/metrics/process-metrics.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Started } from '../../platform/process/run-process.ts';
import { startTracing } from '../../platform/tracing/tracing.ts';
import { createApp } from '../shared/app.ts';
import { watchCertificate } from '../shared/certificate-metrics.ts';
import { readHttpServerOptions } from '../shared/http-server-options.ts';
import { serve } from '../shared/serve.ts';
import { createCallerGuard } from './callers/caller-guard.ts';
import { RateLimitStore } from './callers/rate-limit-store.ts';
import type { RateLimits } from './callers/rate-limits.ts';
import { SharedCounts } from './callers/shared-counts.ts';
import type { PlannerConfig } from './config.ts';
import { gatherLines } from './gathered-lines.ts';
import type { PlannerContext } from './planner-context.ts';
import { PlannerMetrics } from './planner-metrics.ts';
import { createPlannerRouters } from './routers.ts';
import { SnapshotFollower } from './snapshot-follower.ts';
import { SnapshotLoader } from './snapshot-loader.ts';

export interface PlannerParts {
  readonly config: PlannerConfig;
  readonly threads: TripPlannerProcess;
  readonly log?: Logger;
}

export async function startPlanner({ config, threads, ...given }: PlannerParts): Promise<Started> {
  const log =
    given.log ?? createLog({ level: config.LOG_LEVEL, name: 'journey-planner', destination: standardOutput() });
  const serverOptions = readHttpServerOptions(config, log);
  await startTracing({ name: 'journey-planner', revision: config.BUILD_REVISION }, config);
  const connection = await connectMongo(config.MONGODB_URI);
  const objects = ObjectStore.connect(config);
  const registry = createProcessRegistry({ name: 'journey-planner', revision: config.BUILD_REVISION });
  const follower = new SnapshotFollower({
    findPointer: () => findPlannerPointer(connection, config.PLANNER_PUBLIC_KEYS),
    loader: new SnapshotLoader({ objects, directory: config.PLANNER_CACHE_DIR, log }),
    threads,
    log,
    everyMs: config.PLANNER_POLL_MS,
  });
  const metrics = new PlannerMetrics(registry, () => follower.inUse);
  metrics.watchThreads(() => threads.stats());
  follower.metrics = metrics;
  const context: PlannerContext = {
    timetable: () => follower.inUse?.timetable,
    timetableOf: (snapshotId) => follower.find(snapshotId),
    planner: metrics.measure(threads.planner),
    now: () => Math.floor(Date.now() / 1_000),
    config,
    log,
    metrics: registry,
  };
  const guard = createCallerGuard(context);
  const shared =
    config.RATE_LIMIT_SHARED === 'mongodb'
      ? await shareCounts(new RateLimitStore(connection), guard.limits, config, log)
      : undefined;
  const app = createApp({
    areas: [],
    log,
    registry,
    ...serverOptions.app,
    headerPrefix: config.HEADER_PREFIX,
    allowedOrigins: config.ALLOWED_ORIGINS,
    routers: [guard.router, ...createPlannerRouters(context)],
    health: {
      snapshot: async () => {
        if (!follower.inUse) throw new Error('There is no snapshot yet');
      },
    },
  });
  watchCertificate(registry, serverOptions.listen.certificate);
  const server = await serve(app, serverOptions.listen);
  follower.start();
  return {
    log,
    url: server.url,
    reload: server.reload,
    stop: [
      () => server.close(),
      async () => await shared?.stop(),
      () => follower.stop(),
      () => threads.close(),
      async () => objects.close(),
      () => connection.close(),
    ],
  };
}

function standardOutput(): DestinationStream {
  return gatherLines(pino.destination({ fd: process.stdout.fd, sync: true }));
}

async function shareCounts(
  store: RateLimitStore,
  limits: RateLimits,
  config: PlannerConfig,
  log: Logger,
): Promise<SharedCounts> {
  await store.ensureIndexes();
  const shared = new SharedCounts({ store, limits, log, everyMs: config.RATE_LIMIT_SYNC_MS });
  shared.start();
  return shared;
}
