/** The manifest of the events area: the log of domain events of all areas, and the relay that fills it. */
import { defineArea } from '../../platform/area.ts';
import { EVENT_LOG, EVENT_TOPICS } from './event-log-store.ts';
import { relayRoleShape } from './relay-config.ts';
import { EVENT_LEASES } from './relay-lease.ts';

export const eventsArea = defineArea({
  name: 'events',
  servedBy: 'api',
  collections: [{ definition: EVENT_LOG }, { definition: EVENT_TOPICS }, { definition: EVENT_LEASES }],
  roles: [
    {
      name: 'events-worker',
      title: 'Events',
      port: 9105,
      weight: 'light',
      config: relayRoleShape,
      load: async () => (await import('./relay-role.ts')).relayRole,
    },
  ],
  dashboardRows: ['Events'],
});
