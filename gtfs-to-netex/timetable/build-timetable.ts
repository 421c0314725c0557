/** Makes a timetable from a feed: repairs times, leaves out what cannot run, groups and names. Caller: convert.ts. */
import type { ChangeLog } from '../feed/change-log.ts';
import type { Feed, Frequency } from '../feed/feed.ts';
import { FeedError } from '../feed/feed-error.ts';
import { ClockChanges } from './clock-changes.ts';
import { IdNames } from './id-names.ts';
import { planInterchanges } from './interchanges.ts';
import { makeLines } from './make-lines.ts';
import { mendSpeeds } from './mend-speeds.ts';
import { type Interpolation, mendTimes } from './mend-times.ts';
import type { LineMode } from './modes.ts';
import { planPathLinks } from './path-links.ts';
import { daysOfService, type Period, type ServiceDays } from './service-days.ts';
import { planStopPlaces } from './stop-places.ts';
import { placeStops } from './stop-positions.ts';
import { type AgencyPlan, type CalendarEntry, departuresOf, type JourneyVersion, type Timetable } from './timetable.ts';

export interface BuildOptions {
  readonly period: Period;
  readonly interpolation: Interpolation;
}

const NO_ADDRESS = 'https://unknown.invalid/';

export function buildTimetable(feed: Feed, options: BuildOptions, changes: ChangeLog): Timetable {
  const services = feed.services.map((service) => daysOfService(service, options.period));
  const positions = placeStops(feed.stops, changes);
  const kept = mendTimes(feed.trips, { calls: feed.calls, positions, interpolation: options.interpolation }, changes);
  dropTripsWithoutDay(feed, services, kept, changes);
  const modes = mendSpeeds({ feed, positions, kept }, changes);
  if (!kept.includes(1)) {
    throw new FeedError('No trip of the feed can be used: none has two stops, times and a day to run in the period.');
  }
  const tripsByRoute = groupTrips(feed, kept);
  const modesOfStops = modesByStop(feed, tripsByRoute, modes);
  const stops = planStopPlaces({ stops: feed.stops, positions, modes: modesOfStops }, changes);
  const frequencies = groupFrequencies(feed, kept);
  const interchanges = planInterchanges(
    {
      feed,
      positions,
      isKept: (trip) => kept[trip] === 1 && !frequencies.has(trip),
      daysOf: (trip) => services[feed.trips.service[trip] as number] as ServiceDays,
    },
    changes,
  );
  const lines = makeLines(feed, { tripsByRoute, modes, interchanges }, changes);
  const pointNames = new IdNames();
  const used = new Set(lines.flatMap((line) => line.patterns.flatMap((pattern) => [...pattern.stops])));
  const pointKeys = feed.stops.map(({ id }, stop) => (used.has(stop) ? pointNames.take(id) : undefined));
  const tripNames = new IdNames();
  const journeyKeys = feed.trips.ids.map((id) => tripNames.take(id));
  const dayTypeNames = new IdNames();
  const calendar = makeCalendar(feed, services, kept, dayTypeNames);
  const clock = planClockChanges(
    feed,
    kept,
    { calendar, frequencies, journeyKeys },
    new ClockChanges(dayTypeNames, changes),
  );
  const days = [...calendar, ...clock.partCalendar].flatMap((entry) => (entry ? [...entry.days.days] : []));
  return {
    feed,
    positions,
    agencies: nameAgencies(feed, changes),
    lines,
    calendar,
    ...clock,
    firstDay: days.reduce((least, day) => Math.min(least, day), days[0] ?? 0),
    lastDay: days.reduce((most, day) => Math.max(most, day), days[0] ?? 0),
    stopPlaces: stops.places,
    pathLinks: planPathLinks({ feed, positions, plan: stops }, changes),
    quayKeys: stops.quayKeys,
    pointKeys,
    displays: [...new Set(lines.flatMap(({ patterns }) => patterns.flatMap(({ displays }) => [...displays])))].filter(
      (text) => text !== -1,
    ),
    journeyKeys,
    frequencies,
  };
}

function dropTripsWithoutDay(
  { trips }: Feed,
  services: readonly ServiceDays[],
  kept: Uint8Array,
  changes: ChangeLog,
): void {
  for (let trip = 0; trip < kept.length; trip++) {
    if (kept[trip] === 0 || services[trips.service[trip] as number]?.days.length) continue;
    kept[trip] = 0;
    changes.note('trips left out without a day to run in the period', trips.ids[trip]);
  }
}

function groupTrips(feed: Feed, kept: Uint8Array): number[][] {
  const byRoute: number[][] = feed.routes.map(() => []);
  for (let trip = 0; trip < kept.length; trip++) {
    if (kept[trip] === 1) byRoute[feed.trips.route[trip] as number]?.push(trip);
  }
  return byRoute;
}

function modesByStop(
  feed: Feed,
  tripsByRoute: readonly (readonly number[])[],
  lineModes: readonly LineMode[],
): Map<number, Set<string>> {
  const modes = new Map<number, Set<string>>();
  tripsByRoute.forEach((trips, route) => {
    const mode = lineModes[route]?.mode ?? 'unknown';
    const called = new Set<number>();
    for (const trip of trips) {
      const to = feed.calls.first[trip + 1] as number;
      for (let call = feed.calls.first[trip] as number; call < to; call++) called.add(feed.calls.stop[call] as number);
    }
    for (const stop of called) modes.set(stop, (modes.get(stop) ?? new Set()).add(mode));
  });
  return modes;
}

function groupFrequencies(feed: Feed, kept: Uint8Array): Map<number, Frequency[]> {
  const byTrip = new Map<number, Frequency[]>();
  for (const frequency of feed.frequencies) {
    if (kept[frequency.trip] !== 1) continue;
    byTrip.set(frequency.trip, [...(byTrip.get(frequency.trip) ?? []), frequency]);
  }
  return byTrip;
}

/** Plans every departure, because the calendar is written before the journeys. Most have one version, kept nowhere. */
function planClockChanges(
  { trips, calls, routes, agencies }: Feed,
  kept: Uint8Array,
  { calendar, frequencies, journeyKeys }: Pick<Timetable, 'calendar' | 'frequencies' | 'journeyKeys'>,
  clock: ClockChanges,
): Pick<Timetable, 'partCalendar' | 'versionsOf'> {
  const keys = new Set(journeyKeys);
  const unused = (trip: number, suffix: string): string => {
    let own = suffix;
    while (own !== '' && keys.has(`${journeyKeys[trip]}${own}`)) own += '_';
    return own;
  };
  const several = new Map<string, readonly JourneyVersion[]>();
  for (let trip = 0; trip < kept.length; trip++) {
    const entry = calendar[trips.service[trip] as number];
    if (kept[trip] !== 1 || entry === undefined) continue;
    const timeZone = agencies[routes[trips.route[trip] as number]?.agency ?? -1]?.timeZone ?? 'UTC';
    const own = frequencies.get(trip);
    const starts = own
      ? departuresOf(calls, own, trip).map(({ start }) => start)
      : [calls.departure[calls.first[trip] as number] as number];
    for (const start of starts) {
      const versions = clock.versionsOf(entry, timeZone, start);
      if (versions.length > 1 || versions[0]?.shift !== 0) {
        const named = versions.map((version) => ({ ...version, suffix: unused(trip, version.suffix) }));
        several.set(`${trip} ${start}`, named);
      }
    }
  }
  return {
    partCalendar: clock.entries,
    versionsOf: (trip, departure) =>
      several.get(`${trip} ${departure}`) ?? [
        { dayType: calendar[trips.service[trip] as number]?.key ?? '', suffix: '', shift: 0 },
      ],
  };
}

function makeCalendar(
  feed: Feed,
  services: readonly ServiceDays[],
  kept: Uint8Array,
  names: IdNames,
): (CalendarEntry | undefined)[] {
  const used = new Set<number>();
  for (let trip = 0; trip < kept.length; trip++) if (kept[trip] === 1) used.add(feed.trips.service[trip] as number);
  return feed.services.map(({ id }, number) => {
    const key = names.take(id);
    const days = services[number];
    return used.has(number) && days ? { key, serviceId: id, days } : undefined;
  });
}

function nameAgencies(feed: Feed, changes: ChangeLog): AgencyPlan[] {
  const names = new IdNames();
  return feed.agencies.map((agency, index) => {
    const url = agency.url ?? feed.info.url ?? NO_ADDRESS;
    if (url === NO_ADDRESS)
      changes.note(`agencies without a web address, which is required: given ${url}`, agency.name);
    return { key: names.take(agency.id || String(index + 1)), agency, url };
  });
}
