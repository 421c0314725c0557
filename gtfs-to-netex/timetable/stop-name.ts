/** Chooses the name of a stop. Callers: stop places, displays, patterns. */
import type { Feed } from '../feed/feed.ts';

/** A stop without a name takes its station's name, its code or its id. */
export function stopName(feed: Feed, stop: number): string {
  const own = feed.stops[stop];
  if (!own) return '';
  const parent = own.name === '' ? feed.stops.find(({ id }) => id === own.parentId)?.name : '';
  return own.name || parent || own.code || own.id;
}
