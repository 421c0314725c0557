/**
 * The role of the events worker: moves events from the outboxes of all areas to the event log, delivers them to
 * webhooks and to the areas that act on them, and publishes them to Kafka where that is configured. One of several processes leads each job; another takes over within seconds after it ends. Caller:
 * workers/, by the manifest.
 */
import { outboxesOf, type ProcessBase, type RoleCode, type TaskPart } from '../../platform/area.ts';
import { environmentShape } from '../../platform/config.ts';
import { eventEnvironment as eventEnvironmentOf } from '../../platform/events/outbox.ts';
import { connectPatiently } from '../../platform/process/connect.ts';
import { LEDGER } from '../shared/ledger.ts';
import { EventLease } from './event-lease.ts';
import { EventLogStore } from './event-log-store.ts';
import { EventRelay } from './event-relay.ts';
import { kafkaAccessOf, kafkaShape } from './kafka-config.ts';
import { startKafkaJob } from './kafka-job.ts';
import { KeptEventStore } from './kept-event-store.ts';
import { LeasedLoop } from './leased-loop.ts';
import { OutboxSource } from './outbox-source.ts';
import { relayRoleShape } from './relay-config.ts';
import { RelayMetrics } from './relay-metrics.ts';
import { startSubscriptionJob } from './subscription-job.ts';
import { keptTopicsOf } from './topics.ts';
import { webhookJobShape } from './webhooks/webhook-config.ts';
import { startWebhookJob } from './webhooks/webhook-job.ts';

const COUNT_EVERY_MS = 10_000;
/** Counting stops here: a higher number would say nothing new. */
const MOST_COUNTED = 10_000;

export const relayRole: RoleCode<ProcessBase, TaskPart> = {
  checkConfig: (readConfig) => {
    const { ENVIRONMENT } = readConfig({ ENVIRONMENT: environmentShape.ENVIRONMENT });
    kafkaAccessOf(readConfig(kafkaShape), eventEnvironmentOf(ENVIRONMENT));
  },
  create: async (base) => {
    const { log, mongo: connection, registry, areas, eventEnvironment, interfaces, readConfig } = base;
    const config = readConfig({ ...relayRoleShape, ...webhookJobShape, ...kafkaShape });
    const metrics = new RelayMetrics(registry);
    const store = new EventLogStore(connection);
    const collections = outboxesOf(areas);
    const sources = collections.map((collection) => new OutboxSource(connection, collection));
    const relay = new EventRelay({
      log: store,
      kept: new KeptEventStore(connection),
      keptTopics: keptTopicsOf(areas, eventEnvironment),
      sources,
      ledger: interfaces.find(LEDGER),
      observer: metrics,
    });
    await connectPatiently('mongodb', log, async () => {
      await relay.ensureIndexes();
      await store.keepFor(config.EVENTS_KEPT_DAYS);
    });
    const loop = new LeasedLoop({
      connection,
      log,
      work: (mayGoOn) => relay.relayPending(mayGoOn),
      collections,
      lease: new EventLease(connection, 'relay'),
      onLeading: (leads) => metrics.leads(leads),
    });
    const count = async (): Promise<void> => {
      for (const source of sources) metrics.waiting(source.collection, await source.countPending(MOST_COUNTED));
    };
    const webhooks = startWebhookJob(base, store, { keys: config.WEBHOOK_KEYS, headerPrefix: config.HEADER_PREFIX });
    return {
      repeated: [...webhooks.repeated, { name: 'outboxes-counted', everyMs: COUNT_EVERY_MS, run: count }],
      stop: [
        () => loop.stop(),
        ...webhooks.stop,
        ...startKafkaJob(base, store, kafkaAccessOf(config, eventEnvironment)),
        ...(await startSubscriptionJob(base, store)),
      ],
    };
  },
};
