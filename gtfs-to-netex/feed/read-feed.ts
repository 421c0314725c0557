/** Reads a whole feed. Throws a FeedError when the feed cannot be understood at all. Caller: convert.ts. */
import type { ChangeLog } from './change-log.ts';
import type { Feed } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { PlatformIndex } from './platform-index.ts';
import { readAgencies, readFeedInfo } from './read-agencies.ts';
import { readFrequencies, readTransfers } from './read-extras.ts';
import { readRoutes } from './read-routes.ts';
import { readServices } from './read-services.ts';
import { readShapes } from './read-shapes.ts';
import { readStopTimes } from './read-stop-times.ts';
import { readStops } from './read-stops.ts';
import { readTrips } from './read-trips.ts';
import type { Progress } from './table.ts';
import { TextPool } from './text-pool.ts';

const CONVERTED = new Set([
  ...['agency', 'stops', 'routes', 'trips', 'stop_times', 'calendar', 'calendar_dates', 'shapes'].map(
    (name) => `${name}.txt`,
  ),
  'frequencies.txt',
  'transfers.txt',
  'feed_info.txt',
]);

export async function readFeed(archive: FeedArchive, changes: ChangeLog, onProgress: Progress): Promise<Feed> {
  for (const name of archive.names) {
    if (!CONVERTED.has(name)) changes.note('tables that are not converted', name);
  }
  const texts = new TextPool();
  const agencies = await readAgencies(archive, changes, onProgress);
  const stops = await readStops(archive, changes, onProgress);
  const routes = await readRoutes(archive, agencies, changes, onProgress);
  const services = await readServices(archive, changes, onProgress);
  const { trips, shapes: shapeNumbers } = await readTrips(archive, { routes, services, texts }, changes, onProgress);
  const platforms = new PlatformIndex(stops, changes);
  const calls = await readStopTimes(archive, { trips, platforms, texts }, changes, onProgress);
  return {
    agencies,
    stops,
    routes,
    services: [...services.values()],
    trips,
    calls,
    shapes: await readShapes(archive, shapeNumbers, changes, onProgress),
    frequencies: await readFrequencies(archive, trips, changes, onProgress),
    transfers: await readTransfers(archive, { trips, stops: platforms }, changes, onProgress),
    info: await readFeedInfo(archive, onProgress),
    texts,
  };
}
