/**
 * The events process: moves events from the outboxes of all areas to the event log. Of several processes one leads, the
 * others stand by and take over within seconds. Needs the database alone.
 */
import { z } from 'zod';
import { EventLogStore } from '../activities/events/event-log-store.ts';
import { EventRelay } from '../activities/events/event-relay.ts';
import { OutboxSource } from '../activities/events/outbox-source.ts';
import { RelayLease } from '../activities/events/relay-lease.ts';
import { RelayLoop } from '../activities/events/relay-loop.ts';
import { RelayMetrics } from '../activities/events/relay-metrics.ts';
import { environmentShape, listenShape, mongoShape, parseConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { createProcessRegistry } from '../platform/metrics/process-metrics.ts';
import { connectMongo } from '../platform/mongo/mongo.ts';
import { connectPatiently } from '../platform/process/connect.ts';
import { serveHealth } from '../platform/process/health-server.ts';
import { repeat } from '../platform/process/repeat.ts';
import { runProcess } from '../platform/process/run-process.ts';
import { TurnMetrics } from '../platform/process/turn-metrics.ts';

/** Collections whose documents have an outbox. An area that begins to tell events adds its own. */
const COLLECTIONS = ['timetable_imports', 'customer_profiles'];

const COUNT_EVERY_MS = 10_000;
/** More are not counted: whoever looks at the figure has understood by then. */
const COUNTED = 10_000;

const shape = {
  ...environmentShape,
  ...mongoShape,
  /** For health and metrics. */
  ...listenShape,
  /** How long events can be read. */
  EVENTS_KEPT_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
};

await runProcess(async () => {
  const config = parseConfig(shape);
  const log = createLog({ level: config.LOG_LEVEL, name: 'events-worker' });
  const registry = createProcessRegistry({ name: 'events-worker', revision: config.BUILD_REVISION });
  const metrics = new RelayMetrics(registry);
  const connection = await connectPatiently('mongodb', log, () => connectMongo(config.MONGODB_URI));
  const store = new EventLogStore(connection);
  const sources = COLLECTIONS.map((collection) => new OutboxSource(connection, collection));
  const relay = new EventRelay({ log: store, sources, observer: metrics });
  await connectPatiently('mongodb', log, async () => {
    await relay.ensureIndexes();
    await store.keepFor(config.EVENTS_KEPT_DAYS);
  });
  const loop = new RelayLoop({
    ...{ connection, log, relay, collections: COLLECTIONS },
    lease: new RelayLease(connection),
    onLeading: (leads) => metrics.leads(leads),
  });
  const counting = repeat('outboxes-counted', COUNT_EVERY_MS, { log, turns: new TurnMetrics(registry) }, async () => {
    for (const source of sources) metrics.waiting(source.collection, await source.countPending(COUNTED));
  });
  const health = await serveHealth({
    host: config.HOST,
    port: config.PORT,
    registry,
    checks: { mongodb: async () => connection.db?.command({ ping: 1 }, { timeoutMS: 2_000 }) },
  });
  return {
    log,
    url: health.url,
    stop: [
      async () => health.markStopping(),
      () => Promise.all([loop.stop(), counting.stop()]),
      () => connection.close(),
      () => health.close(),
    ],
  };
});
