/** The event log of the model's world, and the feed that reads it. Caller: world.ts. */
import { AREAS } from '../../../../activities/areas.ts';
import { LedgerStore } from '../../../../activities/books/ledger-store.ts';
import { EventFeed } from '../../../../activities/events/event-feed.ts';
import { EventLogStore } from '../../../../activities/events/event-log-store.ts';
import { EventRelay } from '../../../../activities/events/event-relay.ts';
import { KeptEventStore } from '../../../../activities/events/kept-event-store.ts';
import { OutboxSource } from '../../../../activities/events/outbox-source.ts';
import { keptTopicsOf, topicsOf } from '../../../../activities/events/topics.ts';
import { ORDERS_COLLECTION } from '../../../../activities/orders/order-document.ts';
import { ReaderSlots } from '../../../../api/events/reader-slots.ts';
import { createEventsArea } from '../../../../api/events/routes.ts';
import { createApp } from '../../../../api/shared/app.ts';
import { serve } from '../../../../api/shared/serve.ts';
import { send } from '../../support/call.ts';
import { readPlainToken, silentLog } from '../../support/parcels.ts';
import { type OrdersServer, OWN } from '../support.ts';

/** The feed, and the relay that fills it when it is told to. */
export async function serveEvents({ connection }: OrdersServer) {
  const relay = new EventRelay({
    log: new EventLogStore(connection),
    kept: new KeptEventStore(connection),
    keptTopics: keptTopicsOf(AREAS, 'dev'),
    sources: [new OutboxSource(connection, ORDERS_COLLECTION.collection)],
    ledger: new LedgerStore(connection),
    observer: { relayed: () => undefined, oldestPending: () => undefined },
  });
  await relay.ensureIndexes();
  const feed = new EventFeed({ connection, log: silentLog });
  const area = createEventsArea({
    ...{ feed, slots: new ReaderSlots(8), topics: topicsOf(AREAS, 'dev') },
    ...{ webhooks: undefined as never, secrets: undefined as never, openAddresses: true },
    lastOffset: async () => 0,
  });
  const app = createApp({ areas: [area], log: silentLog, verifyToken: readPlainToken });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000, onListenerClosed: () => feed.close() });
  return {
    relay: async () => await relay.relayPending(async () => true),
    read: async (topic: string, after: number) =>
      await send(`${server.url}/v1/events/${topic}?after=${after}&limit=500`, { token: `${OWN},events:read` }),
    close: async () => await server.close(),
  };
}
