/**
 * The API process: configuration → connections → areas → port. Entry of `node api/server.ts`; holds no state of its own, so any
 * number may run. Temporal may be away at start; the databases and the object store may not.
 */
import { AREAS } from '../activities/areas.ts';
import { DisabledClients } from '../activities/auth/disabled-clients.ts';
import { AUDIT_TRAIL } from '../activities/shared/audit.ts';
import { CATALOGUE } from '../activities/shared/catalogue.ts';
import { SETTLEMENTS } from '../activities/shared/settlements.ts';
import { ensureAreaIndexes } from '../platform/area.ts';
import { parseConfig } from '../platform/config.ts';
import { eventEnvironment } from '../platform/events/outbox.ts';
import { AnswerMac } from '../platform/idempotency/answer-mac.ts';
import { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { RequestFingerprints } from '../platform/idempotency/request-fingerprints.ts';
import { Interfaces } from '../platform/interfaces.ts';
import { createLog, type Logger } from '../platform/log.ts';
import { createProcessRegistry } from '../platform/metrics/process-metrics.ts';
import { KeysConnections } from '../platform/mongo/keys-connections.ts';
import { connectMongo } from '../platform/mongo/mongo.ts';
import { ObjectStore } from '../platform/object-store/object-store.ts';
import { checkMongo } from '../platform/process/health.ts';
import { runProcess, type Started } from '../platform/process/run-process.ts';
import { TemporalClient } from '../platform/temporal/temporal.ts';
import { startTracing } from '../platform/tracing/tracing.ts';
import { type ApiConfig, readApiConfig } from './config.ts';
import { createApp } from './shared/app.ts';
import { type ApiBase, type AreaParts, type ComposableArea, loadCompositions } from './shared/area-composition.ts';
import { AuditedCalls } from './shared/audited-calls.ts';
import { watchCertificate } from './shared/certificate-metrics.ts';
import { createForwarding } from './shared/forward.ts';
import { readHttpServerOptions } from './shared/http-server-options.ts';
import { KeySet, remoteKeys } from './shared/key-set.ts';
import { serve } from './shared/serve.ts';
import { createTokenCheck } from './shared/token-check.ts';
import { callerAddress } from './shared/trusted-proxies.ts';

/** Paths that the journey planner's process serves. */
const PLANNER_PREFIXES = ['/journey-planner', '/geocoder', '/realtime'];

async function start(): Promise<Started> {
  const areas = await loadCompositions(AREAS);
  const config = readApiConfig(areas);
  const log = createLog({ level: config.LOG_LEVEL, name: 'api' });
  const serverOptions = readHttpServerOptions(config, log);
  await startTracing({ name: 'api', revision: config.BUILD_REVISION }, config);
  const keys = new KeysConnections(connectMongo);
  const base = await openBase(config, log, keys);
  const { registry, mongo, objects, temporal } = base;
  const parts = await composeAreas(areas, base);
  const store = new IdempotencyStore(mongo);
  await store.ensureIndexes();
  const planner = forwardToPlanner(config);
  const tokenKeys = new KeySet({ fetchKeys: remoteKeys(config.AUTH_ISSUER) });
  const disabled = await DisabledClients.start({ connection: mongo, log, registry, getKey: tokenKeys.getKey });
  const [answerSeal, ...others] = parts.flatMap((each) => each.answerSeal ?? []);
  if (others.length > 0) throw new Error('Two areas offer an answerSeal; the API seals stored answers with one');
  const catalogue = base.interfaces.get(CATALOGUE);
  const app = createApp({
    areas: parts.flatMap(({ area, furtherDocuments = [] }) => [area, ...furtherDocuments]),
    log,
    registry,
    ...serverOptions.app,
    verifyToken: createTokenCheck({
      issuer: config.AUTH_ISSUER,
      audience: config.AUDIENCE,
      keys: tokenKeys,
      isDisabled: disabled.includes,
    }),
    idempotency: {
      store,
      fingerprints: new RequestFingerprints(config.IDEMPOTENCY_KEYS),
      answerMac: new AnswerMac(config.IDEMPOTENCY_KEYS),
    },
    ...(answerSeal && { answerSeal }),
    audit: {
      trail: base.interfaces.get(AUDIT_TRAIL),
      addressOf: (request) => callerAddress(request, config.TRUSTED_PROXIES),
      calls: new AuditedCalls(config.AUDITED_CALLS_PER_MINUTE),
    },
    findChannel: async (id) => await catalogue.findChannel(id),
    findSettlement: async (organisation, id) => await base.interfaces.get(SETTLEMENTS).findOpen(organisation, id),
    headerPrefix: config.HEADER_PREFIX,
    allowedOrigins: config.ALLOWED_ORIGINS,
    routers: planner ? [planner.router] : [],
    deprecation: { deprecatedAt: config.DEPRECATED_AT, sunsetAt: config.SUNSET_AT },
    health: {
      mongodb: checkMongo(mongo),
      ...(keys.isUsed && { customerKeys: () => keys.ping() }),
      objectStore: async () => await objects.ping(),
      temporal: async () => await temporal.ping(),
    },
  });
  watchCertificate(registry, serverOptions.listen.certificate);
  const onListenerClosed = async (): Promise<void> => {
    await Promise.all(parts.map((each) => each.onListenerClosed?.()));
  };
  const server = await serve(app, { ...serverOptions.listen, onListenerClosed });
  return {
    log,
    url: server.url,
    reload: server.reload,
    stop: [
      () => server.close(),
      async () => planner?.close(),
      () => disabled.stop(),
      () => temporal.close(),
      () => keys.close(),
      () => mongo.close(),
    ],
  };
}

async function openBase(config: ApiConfig, log: Logger, keys: KeysConnections): Promise<ApiBase> {
  const interfaces = new Interfaces();
  const base: ApiBase = {
    log,
    registry: createProcessRegistry({ name: 'api', revision: config.BUILD_REVISION }),
    mongo: await connectMongo(config.MONGODB_URI),
    connectKeys: keys.connect,
    objects: await ObjectStore.open(config),
    temporal: new TemporalClient(config, 'api'),
    eventEnvironment: eventEnvironment(config.ENVIRONMENT),
    interfaces,
    areas: AREAS,
    readConfig: (shape) => parseConfig(shape),
  };
  for (const area of base.areas) area.provide?.(base, interfaces);
  return base;
}

async function composeAreas(areas: readonly ComposableArea[], base: ApiBase): Promise<readonly AreaParts[]> {
  await ensureAreaIndexes(
    areas.map(({ manifest }) => manifest),
    ['api'],
    base,
  );
  return await Promise.all(areas.map(async ({ compose }) => await compose(base)));
}

function forwardToPlanner({ PLANNER_URL: url, TRUSTED_PROXIES: trustedProxies }: ApiConfig) {
  if (url === undefined) return undefined;
  return createForwarding({ url, prefixes: PLANNER_PREFIXES, name: 'journeyPlanner', trustedProxies });
}

await runProcess(start);
