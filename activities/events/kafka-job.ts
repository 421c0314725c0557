/** The publisher for Kafka as a leased job of the events worker; absent where no brokers are configured. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessBase } from '../../platform/area.ts';
import { EventLease } from './event-lease.ts';
import { EVENT_LOG } from './event-log-document.ts';
import type { EventLogReads } from './event-log-reads.ts';
import type { KafkaAccess } from './kafka-config.ts';
import { KafkaMetrics } from './kafka-metrics.ts';
import { KafkaPositionStore } from './kafka-position-store.ts';
import { KafkaSender } from './kafka-producer.ts';
import { KafkaPublisher } from './kafka-publisher.ts';
import { LeasedLoop } from './leased-loop.ts';
import { topicsOf } from './topics.ts';

/** For a send in progress while the process stops. */
const PATIENCE_MS = 2_000;

/** Answers how to stop it. */
export function startKafkaJob(
  { log, mongo: connection, registry, areas, eventEnvironment }: ProcessBase,
  store: EventLogReads,
  access: KafkaAccess | undefined,
): (() => Promise<void>)[] {
  const topics = [...topicsOf(areas, eventEnvironment)];
  const metrics = new KafkaMetrics(registry, topics);
  if (!access) return [];
  const sender = new KafkaSender(access);
  const publisher = new KafkaPublisher({
    log: store,
    positions: new KafkaPositionStore(connection),
    sender,
    topics,
    observer: metrics,
    logger: log,
  });
  const loop = new LeasedLoop({
    connection,
    log,
    lease: new EventLease(connection, 'kafka'),
    work: (mayGoOn) => publisher.publishPending(mayGoOn),
    collections: [EVENT_LOG.collection],
    onLeading: (leads) => metrics.leads(leads),
  });
  return [
    async () => {
      const stopped = loop.stop();
      // Brokers that do not answer would hold the end of the process.
      await Promise.race([stopped, delay(PATIENCE_MS, undefined, { ref: false })]);
      await sender.close();
      await stopped;
      await sender.close();
    },
  ];
}
