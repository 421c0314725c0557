/** Finds a ride that the planner must find, to ask for directly after the upload. Caller: try-city. */
import { stopName } from './stop-name.ts';
import type { Timetable } from './timetable.ts';

export interface ExampleRide {
  readonly line: string;
  /** Last parts of the quays' ids, and the stops' names. */
  readonly from: { readonly key: string; readonly name: string };
  readonly to: { readonly key: string; readonly name: string };
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Seconds of the service day. */
  readonly departure: number;
  readonly timeZone: string;
}

const MORNING_SECONDS = 8 * 3600;
const DAY_SECONDS = 86_400;

/**
 * Takes the first day from `today` on, else the last one. On that day, takes the pattern with the most journeys and
 * its first departure after eight.
 */
export function findExampleRide(timetable: Timetable, today: number): ExampleRide | undefined {
  const { lines, feed, quayKeys } = timetable;
  const day = chooseDay(timetable, today);
  let best: { line: number; trips: readonly number[]; stops: Int32Array } | undefined;
  lines.forEach(({ patterns }, line) => {
    for (const { trips, stops } of patterns) {
      const running = trips.filter((trip) => daysOf(timetable, trip).includes(day));
      if (running.length > (best?.trips.length ?? 0)) best = { line, trips: running, stops };
    }
  });
  const line = best && lines[best.line];
  if (!best || !line) return undefined;
  const start = (trip: number): number => feed.calls.departure[feed.calls.first[trip] as number] as number;
  const late = (trip: number): number => (start(trip) + 2 * DAY_SECONDS - MORNING_SECONDS) % DAY_SECONDS;
  const trip = best.trips.reduce((next, one) => (late(one) < late(next) ? one : next));
  const place = (stop = -1): { key: string; name: string } => ({
    key: quayKeys[stop] ?? '',
    name: stopName(feed, stop),
  });
  return {
    line: line.name,
    from: place(best.stops[0]),
    to: place(best.stops.at(-1)),
    day,
    departure: start(trip),
    timeZone: feed.agencies[line.route.agency]?.timeZone ?? 'UTC',
  };
}

const NO_DAYS = new Int32Array(0);

function daysOf({ calendar, feed }: Timetable, trip: number): Int32Array {
  return calendar[feed.trips.service[trip] as number]?.days.days ?? NO_DAYS;
}

function chooseDay({ calendar, lastDay }: Timetable, today: number): number {
  const next = calendar.flatMap((entry) => entry?.days.days.find((day) => day >= today) ?? []);
  return next.length > 0 ? Math.min(...next) : lastDay;
}
