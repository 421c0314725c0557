/** The subscriptions of all areas as a leased job of the events worker. Caller: the role. */
import type { ProcessBase } from '../../platform/area.ts';
import { EventLease } from './event-lease.ts';
import { EVENT_LOG } from './event-log-document.ts';
import type { EventLogReads } from './event-log-reads.ts';
import { LeasedLoop } from './leased-loop.ts';
import { SubscriptionMetrics } from './subscription-metrics.ts';
import { loadSubscriptions, Subscriptions } from './subscriptions.ts';

/** Answers how to stop it. */
export async function startSubscriptionJob(base: ProcessBase, store: EventLogReads): Promise<(() => Promise<void>)[]> {
  const { log, mongo: connection, registry } = base;
  const subscriptions = await loadSubscriptions(base);
  if (subscriptions.length === 0) return [];
  const metrics = new SubscriptionMetrics(
    registry,
    subscriptions.map(({ name }) => name),
  );
  const options = { connection, log: store, subscriptions, observer: metrics, logger: log };
  const delivery = new Subscriptions(options);
  const loop = new LeasedLoop({
    connection,
    log,
    lease: new EventLease(connection, 'subscriptions'),
    work: (mayGoOn) => delivery.deliverPending(mayGoOn),
    collections: [EVENT_LOG.collection],
    onLeading: (leads) => metrics.leads(leads),
  });
  return [() => loop.stop()];
}
