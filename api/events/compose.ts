/** Composes the events area for the API process. Caller: api/server.ts, by the area's name. */
import { Gauge, type Registry } from 'prom-client';
import { EventFeed } from '../../activities/events/event-feed.ts';
import { topicsOf } from '../../activities/events/topics.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { createEventsArea } from './routes.ts';

export const composition: AreaComposition = {
  config: {},
  compose: ({ mongo, log, registry, areas, eventEnvironment }) => {
    const feed = new EventFeed({ connection: mongo, log });
    measureReaders(registry, feed);
    return {
      area: createEventsArea({ feed, topics: topicsOf(areas, eventEnvironment) }),
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
