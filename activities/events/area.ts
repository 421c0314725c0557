/** The manifest of the events area: the log of domain events of all areas, and the relay that fills it. */
import { defineArea } from '../../platform/area.ts';
import { EVENT_HISTORY } from '../shared/event-history.ts';
import { EVENT_LOG_READER } from '../shared/payment-books.ts';
import { EVENT_LEASES } from './event-lease.ts';
import { EVENT_LOG, EVENT_TOPICS } from './event-log-document.ts';
import { EventLogReads } from './event-log-reads.ts';
import { kafkaShape } from './kafka-config.ts';
import { KAFKA_POSITIONS } from './kafka-position-store.ts';
import { KEPT_EVENTS, KeptEventStore } from './kept-event-store.ts';
import { relayRoleShape } from './relay-config.ts';
import { SUBSCRIPTION_POSITIONS } from './subscriptions.ts';
import { webhookJobShape } from './webhooks/webhook-config.ts';
import { WEBHOOKS } from './webhooks/webhook-document.ts';

export const eventsArea = defineArea({
  name: 'events',
  servedBy: 'api',
  collections: [
    {
      definition: EVENT_LOG,
      // The relay decides at its start how long events are kept.
      uses: {
        api: ['find', 'watch'],
        'events-worker': ['find', 'insert', 'index', 'watch'],
        'books-worker': ['find'],
      },
    },
    { definition: KEPT_EVENTS, uses: { api: ['find'], 'events-worker': ['insert'] } },
    {
      definition: EVENT_TOPICS,
      uses: { api: ['find'], 'books-worker': ['find'], 'events-worker': ['find', 'insert', 'update'] },
    },
    { definition: KAFKA_POSITIONS, uses: { 'events-worker': ['find', 'insert', 'update'] } },
    { definition: SUBSCRIPTION_POSITIONS, uses: { 'events-worker': ['find', 'insert', 'update'] } },
    { definition: WEBHOOKS, uses: { api: ['find', 'insert', 'remove'], 'events-worker': ['find', 'update', 'watch'] } },
    { definition: EVENT_LEASES, uses: { 'events-worker': ['insert', 'update'] } },
  ],
  roles: [
    {
      name: 'events-worker',
      title: 'Events',
      port: 9105,
      weight: 'light',
      relay: true,
      config: { ...relayRoleShape, ...webhookJobShape, ...kafkaShape },
      load: async () => (await import('./relay-role.ts')).relayRole,
    },
  ],
  dashboardRows: ['Events'],
  provide: ({ mongo }, interfaces) => {
    interfaces.provide(EVENT_HISTORY, new KeptEventStore(mongo));
    interfaces.provide(EVENT_LOG_READER, new EventLogReads(mongo));
  },
});
