/**
 * Starts the server of the pages on which customers pay: the only one that customers' browsers reach. It reads pages and
 * orders and starts updates of workflows, and holds no state, so any number may run. Callers: server.ts, api/servers.ts.
 */
import { AREAS } from '../../activities/areas.ts';
import { PageStore } from '../../activities/payment-page/page-store.ts';
import { PageTokens } from '../../activities/payment-page/page-tokens.ts';
import { PaymentPages } from '../../activities/payment-page/payment-pages.ts';
import { CATALOGUE } from '../../activities/shared/catalogue.ts';
import { CUSTOMERS } from '../../activities/shared/customers.ts';
import { ORDERS } from '../../activities/shared/orders.ts';
import { paymentPageShape } from '../../activities/shared/page-links.ts';
import { PAGE_PAYMENTS } from '../../activities/shared/payments.ts';
import type { ProcessBase, ReadConfig } from '../../platform/area.ts';
import { environmentShape, mongoShape, temporalShape } from '../../platform/config.ts';
import { eventEnvironment } from '../../platform/events/outbox.ts';
import { Interfaces } from '../../platform/interfaces.ts';
import { createLog } from '../../platform/log.ts';
import { createProcessRegistry } from '../../platform/metrics/process-metrics.ts';
import { KeysConnections } from '../../platform/mongo/keys-connections.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { checkMongo } from '../../platform/process/health.ts';
import type { Started } from '../../platform/process/run-process.ts';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import { startTracing } from '../../platform/tracing/tracing.ts';
import { createApp } from '../shared/app.ts';
import { watchCertificate } from '../shared/certificate-metrics.ts';
import { httpServerShape, readHttpServerOptions } from '../shared/http-server-options.ts';
import { serve } from '../shared/serve.ts';
import { pagesShape } from './pages-config.ts';
import { createPageRouter } from './web/page-router.ts';
import { WrongLinks } from './web/wrong-links.ts';

const NAME = 'payment-page';

export async function startPages(readConfig: ReadConfig): Promise<Started> {
  const config = readConfig({
    ...environmentShape,
    ...mongoShape,
    ...temporalShape,
    ...httpServerShape(),
    ...paymentPageShape,
    ...pagesShape,
  });
  const log = createLog({ level: config.LOG_LEVEL, name: NAME });
  const serverOptions = readHttpServerOptions(config, log, {
    variable: 'PAYMENT_PAGE_URL',
    url: config.PAYMENT_PAGE_URL,
  });
  await startTracing({ name: NAME, revision: config.BUILD_REVISION }, config);
  const registry = createProcessRegistry({ name: NAME, revision: config.BUILD_REVISION });
  const mongo = await connectMongo(config.MONGODB_URI);
  const keys = new KeysConnections(connectMongo);
  const temporal = new TemporalClient(config, NAME);
  const interfaces = new Interfaces();
  const base: ProcessBase = {
    ...{ log, registry, mongo, connectKeys: keys.connect, temporal, interfaces, areas: AREAS, readConfig },
    eventEnvironment: eventEnvironment(config.ENVIRONMENT),
  };
  for (const area of base.areas) area.provide?.(base, interfaces);
  const wrongLinks = new WrongLinks({
    perMinute: config.WRONG_LINKS_PER_MINUTE,
    trustedProxies: config.TRUSTED_PROXIES,
  });
  const pages = new PaymentPages({
    pages: new PageStore({ connection: mongo }),
    tokens: new PageTokens(config.PAYMENT_PAGE_KEYS, config.PAYMENT_PAGE_URL),
    temporal,
    orders: () => interfaces.get(ORDERS),
    payments: () => interfaces.get(PAGE_PAYMENTS),
    customers: () => interfaces.get(CUSTOMERS),
    catalogue: () => interfaces.get(CATALOGUE),
    log,
  });
  const app = createApp({
    areas: [],
    routers: [createPageRouter({ pages, wrongLinks, terminalOrigins: config.TERMINAL_ORIGINS })],
    log,
    registry,
    ...serverOptions.app,
    health: { mongodb: checkMongo(mongo), temporal: async () => await temporal.ping() },
  });
  watchCertificate(registry, serverOptions.listen.certificate);
  const server = await serve(app, serverOptions.listen);
  return {
    log,
    url: server.url,
    reload: server.reload,
    stop: [() => server.close(), () => temporal.close(), () => keys.close(), () => mongo.close()],
  };
}
