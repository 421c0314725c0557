/** Data that planTrip keeps between requests, one per thread and snapshot. */
import type { ServiceDay } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import type { Transit } from '../model/transit.ts';
import { BookingDeadlines } from './booking-deadlines.ts';
import { ClosedStops } from './closed-stops.ts';
import { FilterMaskCache } from './filter-masks.ts';
import type { TimeWindow } from './page-cursor.ts';
import { UsefulStops } from './useful-stops.ts';

export interface TripTools {
  readonly filters: FilterMaskCache;
  readonly closedStops: ClosedStops;
  readonly usefulStops: UsefulStops;
  readonly bookings: BookingDeadlines;
  /** From the first service day's start to the end of the last one's last trip. */
  readonly period: TimeWindow;
}

const toolsByTimetable = new WeakMap<Timetable, TripTools>();

export function tripToolsOf(timetable: Timetable): TripTools {
  const known = toolsByTimetable.get(timetable);
  if (known !== undefined) return known;
  const tools = {
    filters: new FilterMaskCache(timetable),
    closedStops: new ClosedStops(timetable),
    usefulStops: new UsefulStops(timetable.transit),
    bookings: new BookingDeadlines(timetable),
    period: servicePeriod(timetable.transit),
  };
  toolsByTimetable.set(timetable, tools);
  return tools;
}

export function servicePeriod(transit: Transit): TimeWindow {
  const lastDay = (transit.firstDay + transit.dayCount - 1) as ServiceDay;
  const starts = transit.zones.map((_, zone) => transit.dayStart(zone, transit.firstDay));
  const lastStarts = transit.zones.map((_, zone) => transit.dayStart(zone, lastDay));
  let latest = 0;
  for (const seconds of transit.routeLatest) if (seconds > latest) latest = seconds;
  if (starts.length === 0 || transit.dayCount === 0) return { start: 0, end: 0 };
  const [earliestShift = 0] = transit.shiftsOn(transit.firstDay);
  const latestShift = transit.shiftsOn(lastDay).at(-1) ?? 0;
  return { start: Math.min(...starts) + earliestShift, end: Math.max(...lastStarts) + latest + latestShift };
}
