/**
 * The API process: configuration → stores → areas → port. Entry of `node api/server.ts`; holds no state of its own, so any
 * number may run. Temporal may be away at start; the database and the object store may not.
 */
import { IdempotencyStore } from '../activities/shared/idempotency-store.ts';
import { createLog } from '../activities/shared/log.ts';
import { connectMongo } from '../activities/shared/mongo.ts';
import { ObjectStore } from '../activities/shared/object-store.ts';
import { eventEnvironment } from '../activities/shared/outbox.ts';
import { TemporalClient } from '../activities/shared/temporal.ts';
import { CodespaceStore } from '../activities/timetable/codespace-store.ts';
import { startDatasetImport } from '../activities/timetable/dataset-import-start.ts';
import { ImportStore } from '../activities/timetable/import-store.ts';
import { signalPlannerBuild } from '../activities/timetable/planner-build-start.ts';
import { PrivateDatasetStore } from '../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../activities/timetable/receipt-store.ts';
import { ReportStore } from '../activities/timetable/report-store.ts';
import { VersionStore } from '../activities/timetable/version-store.ts';
import { readApiConfig } from './config.ts';
import { createApp } from './shared/app.ts';
import { createForwarding } from './shared/forward.ts';
import { checkMongo } from './shared/health.ts';
import { KeySet, remoteKeys } from './shared/key-set.ts';
import { runProcess, type Started } from './shared/run-process.ts';
import { serve } from './shared/serve.ts';
import { createTokenCheck } from './shared/token-check.ts';
import { createTimetableArea } from './timetable/routes.ts';

/** What the process of the journey planner serves. */
const PLANNER_PREFIXES = ['/journey-planner', '/geocoder', '/realtime'];

async function start(): Promise<Started> {
  const config = readApiConfig();
  const log = createLog({ level: config.LOG_LEVEL, name: 'api' });
  const connection = await connectMongo(config.MONGODB_URI);
  const objects = await ObjectStore.open(config);
  const temporal = new TemporalClient(config);
  const idempotency = new IdempotencyStore(connection);
  const codespaces = new CodespaceStore(connection);
  const imports = new ImportStore(connection, { environment: eventEnvironment(config.ENVIRONMENT) });
  await Promise.all([idempotency.ensureIndexes(), codespaces.ensureIndexes(), imports.ensureIndexes()]);
  const timetable = createTimetableArea({
    codespaces,
    imports,
    receipts: new ReceiptStore(connection),
    versions: new VersionStore(connection),
    privateDatasets: new PrivateDatasetStore(connection),
    reports: new ReportStore(objects),
    objects,
    startImport: async (input) => await startDatasetImport(temporal, input),
    uploadLimitBytes: config.UPLOAD_LIMIT_BYTES,
    ...(config.PLANNER_URL !== undefined && { signalPlanner: () => signalPlannerBuild(temporal) }),
  });
  const planner =
    config.PLANNER_URL === undefined
      ? undefined
      : createForwarding({ url: config.PLANNER_URL, prefixes: PLANNER_PREFIXES, name: 'journeyPlanner' });
  const app = createApp({
    areas: [timetable],
    log,
    verifyToken: createTokenCheck({
      issuer: config.AUTH_ISSUER,
      audience: config.AUDIENCE,
      keys: new KeySet({ fetchKeys: remoteKeys(config.AUTH_ISSUER) }),
    }),
    idempotency,
    headerPrefix: config.HEADER_PREFIX,
    allowedOrigins: config.ALLOWED_ORIGINS,
    routers: planner ? [planner.router] : [],
    deprecation: { deprecatedAt: config.DEPRECATED_AT, sunsetAt: config.SUNSET_AT },
    health: {
      mongodb: checkMongo(connection),
      objectStore: async () => await objects.ping(),
      temporal: async () => await temporal.ping(),
    },
  });
  const server = await serve(app, { host: config.HOST, port: config.PORT, graceMs: config.SHUTDOWN_GRACE_MS });
  return {
    log,
    url: server.url,
    stop: [() => server.close(), async () => planner?.close(), () => temporal.close(), () => connection.close()],
  };
}

await runProcess(start);
