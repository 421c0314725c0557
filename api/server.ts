/**
 * The API process: configuration → stores → areas → port. Entry of `node api/server.ts`; holds no state of its own, so any
 * number may run. Temporal may be away at start; the databases and the object store may not.
 */
import type { IncomingMessage } from 'node:http';
import { DisabledClients } from '../activities/auth/disabled-clients.ts';
import { CatalogueStore } from '../activities/catalogue/catalogue-store.ts';
import { CustomerAnswerSeal } from '../activities/customers/answer-seal.ts';
import { customerStoreOptions } from '../activities/customers/customer-config.ts';
import { EventFeed } from '../activities/events/event-feed.ts';
import { topicsOf } from '../activities/events/topics.ts';
import { eventEnvironment } from '../platform/events/outbox.ts';
import { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { createLog } from '../platform/log.ts';
import { createProcessRegistry } from '../platform/metrics/process-metrics.ts';
import { connectMongo } from '../platform/mongo/mongo.ts';
import { ObjectStore } from '../platform/object-store/object-store.ts';
import { checkMongo } from '../platform/process/health.ts';
import { runProcess, type Started } from '../platform/process/run-process.ts';
import { TemporalClient } from '../platform/temporal/temporal.ts';
import { startTracing } from '../platform/tracing/tracing.ts';
import { measureUploads, watchFeed } from './area-metrics.ts';
import { loadCatalogue } from './catalogue/load-catalogue.ts';
import { createCatalogueArea } from './catalogue/routes.ts';
import { type ApiConfig, readApiConfig } from './config.ts';
import { composeCustomers, ensureCustomerIndexes } from './customers/compose.ts';
import { createCustomersArea } from './customers/routes.ts';
import { createEventsArea } from './events/routes.ts';
import { createApp } from './shared/app.ts';
import { watchCertificate } from './shared/certificate-metrics.ts';
import { createForwarding } from './shared/forward.ts';
import { readHttpServerOptions } from './shared/http-server-options.ts';
import { KeySet, remoteKeys } from './shared/key-set.ts';
import { serve } from './shared/serve.ts';
import { createTokenCheck } from './shared/token-check.ts';
import { callerAddress, networkOf } from './shared/trusted-proxies.ts';
import { composeTimetable, ensureTimetableIndexes } from './timetable/compose.ts';
import { createTimetableArea } from './timetable/routes.ts';

/** What the process of the journey planner serves. */
const PLANNER_PREFIXES = ['/journey-planner', '/geocoder', '/realtime'];

async function start(): Promise<Started> {
  const config = readApiConfig();
  const log = createLog({ level: config.LOG_LEVEL, name: 'api' });
  const serverOptions = readHttpServerOptions(config, log);
  await startTracing({ name: 'api', revision: config.BUILD_REVISION }, config);
  const registry = createProcessRegistry({ name: 'api', revision: config.BUILD_REVISION });
  const connection = await connectMongo(config.MONGODB_URI);
  const keysConnection = await connectMongo(config.CUSTOMER_KEYS_MONGODB_URI);
  const objects = await ObjectStore.open(config);
  const temporal = new TemporalClient(config);
  const environment = eventEnvironment(config.ENVIRONMENT);
  const idempotency = new IdempotencyStore(connection);
  const catalogue = new CatalogueStore(connection);
  const feed = new EventFeed({ connection, log });
  watchFeed(registry, feed);
  const sealed = customerStoreOptions(config, { connection, keysConnection, environment });
  const loginLimits = {
    perProfile: config.AUTHENTICATE_FAILURES,
    perAddress: config.AUTHENTICATE_FAILURES_PER_ADDRESS,
  };
  const addressOf = (request: IncomingMessage) => networkOf(callerAddress(request, config.TRUSTED_PROXIES));
  const customers = composeCustomers({ options: sealed, temporal, catalogue, loginLimits, addressOf });
  const timetable = composeTimetable({
    ...{ connection, objects, temporal, environment, config },
    onReceived: measureUploads(registry),
  });
  await Promise.all([
    ...[idempotency.ensureIndexes(), sealed.keys.ensureIndexes()],
    ...[ensureTimetableIndexes(timetable), ensureCustomerIndexes(customers)],
  ]);
  if (config.CATALOGUE_FILE !== undefined) await loadCatalogue(catalogue, config.CATALOGUE_FILE);
  const planner = forwardToPlanner(config);
  const disabled = await DisabledClients.start({ connection, log });
  const app = createApp({
    areas: [
      createTimetableArea(timetable),
      createCustomersArea(customers),
      createEventsArea({ feed, topics: topicsOf(environment) }),
      createCatalogueArea({ catalogue }),
    ],
    ...{ log, registry, https: serverOptions.https },
    verifyToken: createTokenCheck({
      issuer: config.AUTH_ISSUER,
      audience: config.AUDIENCE,
      keys: new KeySet({ fetchKeys: remoteKeys(config.AUTH_ISSUER) }),
      isDisabled: disabled.includes,
    }),
    idempotency,
    answerSeal: new CustomerAnswerSeal(sealed.keys),
    headerPrefix: config.HEADER_PREFIX,
    allowedOrigins: config.ALLOWED_ORIGINS,
    routers: planner ? [planner.router] : [],
    deprecation: { deprecatedAt: config.DEPRECATED_AT, sunsetAt: config.SUNSET_AT },
    health: {
      mongodb: checkMongo(connection),
      customerKeys: checkMongo(keysConnection),
      objectStore: async () => await objects.ping(),
      temporal: async () => await temporal.ping(),
    },
  });
  watchCertificate(registry, serverOptions.listen.certificate);
  // Whoever waits for events is answered then; before it they would come back at once, to be answered with nothing again.
  const server = await serve(app, { ...serverOptions.listen, onListenerClosed: () => feed.close() });
  return {
    log,
    ...{ url: server.url, reload: server.reload },
    stop: [
      () => server.close(),
      async () => planner?.close(),
      () => disabled.stop(),
      () => temporal.close(),
      () => keysConnection.close(),
      () => connection.close(),
    ],
  };
}

function forwardToPlanner({ PLANNER_URL: url, TRUSTED_PROXIES: trustedProxies }: ApiConfig) {
  if (url === undefined) return undefined;
  return createForwarding({ url, prefixes: PLANNER_PREFIXES, name: 'journeyPlanner', trustedProxies });
}

await runProcess(start);
