/** A ride that the planner must find, to be asked for at once after the upload. Caller: convert.ts. */
import { stopName } from './stop-name.ts';
import type { Timetable } from './timetable.ts';

export interface ExampleRide {
  readonly line: string;
  /** Last parts of the ids of quays, and the stops' names. */
  readonly from: { readonly key: string; readonly name: string };
  readonly to: { readonly key: string; readonly name: string };
  /** Seconds of the service day. */
  readonly departure: number;
  /** Days since 1970-01-01, ascending. */
  readonly days: readonly number[];
  readonly timeZone: string;
}

const MORNING_SECONDS = 8 * 3600;

/** Of the pattern with the most journeys, the one that leaves next after eight. */
export function findExampleRide({ lines, feed, calendar, quayKeys }: Timetable): ExampleRide | undefined {
  const patterns = lines.flatMap((line) => line.patterns.map((pattern) => ({ line, pattern })));
  const [busiest, ...others] = patterns;
  if (!busiest) return undefined;
  const { line, pattern } = others.reduce(
    (most, one) => (one.pattern.trips.length > most.pattern.trips.length ? one : most),
    busiest,
  );
  const start = (trip: number): number => feed.calls.departure[feed.calls.first[trip] as number] as number;
  const late = (trip: number): number => (start(trip) + 2 * 86_400 - MORNING_SECONDS) % 86_400;
  const trip = pattern.trips.reduce((best, one) => (late(one) < late(best) ? one : best), pattern.trips[0] ?? 0);
  const place = (stop = -1): { key: string; name: string } => ({
    key: quayKeys[stop] ?? '',
    name: stopName(feed, stop),
  });
  return {
    line: line.name,
    from: place(pattern.stops[0]),
    to: place(pattern.stops.at(-1)),
    departure: start(trip),
    days: [...(calendar[feed.trips.service[trip] as number]?.days.days ?? [])],
    timeZone: feed.agencies[line.route.agency]?.timeZone ?? 'UTC',
  };
}
