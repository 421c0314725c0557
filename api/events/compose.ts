/** Composes the events area for the API process. Caller: api/server.ts, by the area's name. */
import { Gauge, type Registry } from 'prom-client';
import { z } from 'zod';
import { EventFeed } from '../../activities/events/event-feed.ts';
import { EventLogReads } from '../../activities/events/event-log-reads.ts';
import { topicsOf } from '../../activities/events/topics.ts';
import { webhookKeysShape } from '../../activities/events/webhooks/webhook-config.ts';
import { WebhookSecrets } from '../../activities/events/webhooks/webhook-secrets.ts';
import { WebhookStore } from '../../activities/events/webhooks/webhook-store.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { ReaderSlots } from './reader-slots.ts';
import { createEventsArea } from './routes.ts';

const config = { EVENT_READERS_PER_CLIENT: z.coerce.number().int().positive().default(50), ...webhookKeysShape };

export const composition: AreaComposition = {
  config,
  compose: ({ mongo, log, registry, areas, eventEnvironment, readConfig }) => {
    const { EVENT_READERS_PER_CLIENT, WEBHOOK_KEYS } = readConfig(config);
    const store = new EventLogReads(mongo);
    const webhooks = new WebhookStore(mongo);
    const feed = new EventFeed({ connection: mongo, log });
    measureReaders(registry, feed);
    return {
      area: createEventsArea({
        feed,
        slots: new ReaderSlots(EVENT_READERS_PER_CLIENT),
        topics: topicsOf(areas, eventEnvironment),
        webhooks,
        secrets: new WebhookSecrets(WEBHOOK_KEYS),
        lastOffset: (topic) => store.lastOffset(topic),
        openAddresses: eventEnvironment === 'dev',
      }),
      // Release long polls only after the listener has closed: earlier, clients would reconnect at once.
      onListenerClosed: () => feed.close(),
    };
  },
};

function measureReaders(registry: Registry, feed: { readonly waiting: number }): void {
  new Gauge({
    name: 'events_readers_waiting',
    help: 'Long polls that wait for the next event',
    registers: [registry],
    collect() {
      this.set(feed.waiting);
    },
  });
}
