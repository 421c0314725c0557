/** Makes lines with their patterns, in the order of the feed. Caller: build-timetable.ts. */
import type { ChangeLog } from '../feed/change-log.ts';
import type { Feed } from '../feed/feed.ts';
import { IdNames } from './id-names.ts';
import { type LineMode, lineModeOf } from './modes.ts';
import { PatternMaker } from './patterns.ts';
import { stopName } from './stop-name.ts';
import type { Interchange, Line } from './timetable.ts';

export function makeLines(
  feed: Feed,
  parts: {
    tripsByRoute: readonly (readonly number[])[];
    modes: readonly LineMode[];
    interchanges: readonly Interchange[];
  },
  changes: ChangeLog,
): Line[] {
  const names = new IdNames();
  const patterns = new PatternMaker(feed, (stop) => feed.texts.add(stopName(feed, stop)));
  const byRoute = new Map<number, Interchange[]>();
  for (const interchange of parts.interchanges) {
    const route = feed.trips.route[interchange.toTrip] as number;
    const own = byRoute.get(route) ?? [];
    byRoute.set(route, own);
    own.push(interchange);
  }
  const lines: Line[] = [];
  feed.routes.forEach((route, index) => {
    const key = names.take(route.id);
    const trips = parts.tripsByRoute[index] ?? [];
    if (trips.length === 0) {
      changes.note('routes left out without any trip', route.id);
      return;
    }
    const mode = parts.modes[index] ?? lineModeOf(route.type);
    if (mode.mode === 'unknown') changes.note('routes of an unknown type: mode unknown', `${route.id}: ${route.type}`);
    const name = route.longName || route.shortName || route.description || route.id;
    const own = byRoute.get(index) ?? [];
    lines.push({ key, number: lines.length + 1, route, name, mode, patterns: patterns.make(trips), interchanges: own });
  });
  return lines;
}
