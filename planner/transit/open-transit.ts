/** Opens the transit part of a snapshot: arrays over its memory, and the lookups that need more than one array. */
import type { LineIndex, RouteIndex, ServiceDay, ServiceJourneyIndex, StopIndex, TripIndex } from '../model/indices.ts';
import type { Transit } from '../model/transit.ts';
import type { Sections } from '../snapshot/sections.ts';
import { wordsPerDaySet } from './build-transit.ts';
import { createClockShifts, createDayStart, type DayStart, shiftOf } from './service-days.ts';
import { readTransitArrays, type TransitArrays } from './transit-arrays.ts';

const DAY_SECONDS = 86_400;
/** More than clock changes can shorten a day. */
const CLOCK_CHANGE_SECONDS = 7_200;
const UNSHIFTED: readonly number[] = [0];

export function openTransit(sections: Sections): Transit {
  const days = sections.int32('transit.days');
  const zones = sections.texts('transit.zones');
  const submodeNames = sections.texts('transit.submodes');
  return transitOf(readTransitArrays(sections), days[0] as ServiceDay, days[1] as number, zones, submodeNames);
}

/** Makes a Transit from arrays that are not yet in a snapshot. */
export function transitOf(
  arrays: TransitArrays,
  firstDay: ServiceDay,
  dayCount: number,
  zones: readonly string[],
  submodeNames: readonly string[],
): Transit {
  const { routeStopsStart, routeTripsStart, routeTimesStart, tripRoute, tripDays, daySetBits } = arrays;
  const words = wordsPerDaySet(dayCount);
  const runsOn = (trip: TripIndex, day: ServiceDay): boolean => {
    const offset = day - firstDay;
    if (offset < 0 || offset >= dayCount) return false;
    return (((daySetBits[(tripDays[trip] as number) * words + (offset >> 5)] as number) >>> (offset & 31)) & 1) === 1;
  };
  const timeEntry = (trip: TripIndex, position: number): number => {
    const route = tripRoute[trip] as number;
    const stops = (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
    return (routeTimesStart[route] as number) + (trip - (routeTripsStart[route] as number)) * stops + position;
  };
  const dayStart = dayStartOf(arrays, firstDay, dayCount, zones);
  const shiftsOfZones = zones.map((zone, index) => createClockShifts(zone, (day) => dayStart(index, day)));
  const clockShifts: Transit['clockShifts'] = (zone, day) => shiftsOfZones[zone]?.(day) ?? [];
  const shiftOfTrip = (trip: TripIndex, day: ServiceDay): number => {
    const shifts = clockShifts(arrays.routeZone[tripRoute[trip] as number] as number, day);
    return shifts.length === 0 ? 0 : shiftOf(shifts, arrays.departures[timeEntry(trip, 0)] as number);
  };
  return {
    ...arrays,
    stopCount: arrays.stopLatitude.length,
    routeCount: arrays.routePattern.length,
    tripCount: tripRoute.length,
    submodeNames,
    zones,
    firstDay,
    dayCount,
    daySetWords: words,
    daySpan: longestSpan(arrays),
    dayStart,
    clockShifts,
    shiftsOn: (day) => {
      const shifts = zones.flatMap((_, zone) => clockShifts(zone, day).map(({ seconds }) => seconds));
      return shifts.length === 0 ? UNSHIFTED : [...new Set([0, ...shifts])].sort((one, other) => one - other);
    },
    shiftOf: shiftOfTrip,
    runStart: (trip, day) =>
      dayStart(arrays.routeZone[tripRoute[trip] as number] as number, day) + shiftOfTrip(trip, day),
    runsOn,
    tripsOfJourney: (journey: ServiceJourneyIndex) =>
      Array.from(
        arrays.journeyTrips.subarray(arrays.journeyTripsStart[journey], arrays.journeyTripsStart[journey + 1]),
      ) as TripIndex[],
    activeDays: (trip) => {
      const days = Array.from({ length: dayCount }, (_, offset) => (firstDay + offset) as ServiceDay);
      return days.filter((day) => runsOn(trip, day));
    },
    lineOfTrip: (trip) => arrays.routeLine[tripRoute[trip] as number] as LineIndex,
    routeOf: (trip) => tripRoute[trip] as RouteIndex,
    stopAt: (route, position) => arrays.routeStops[(routeStopsStart[route] as number) + position] as StopIndex,
    arrivalAt: (trip, position) => arrays.arrivals[timeEntry(trip, position)] as number,
    departureAt: (trip, position) => arrays.departures[timeEntry(trip, position)] as number,
  };
}

function longestSpan(arrays: TransitArrays): number {
  let latest = 0;
  for (const time of arrays.routeLatest) latest = Math.max(latest, time);
  return Math.max(1, Math.floor((latest + CLOCK_CHANGE_SECONDS) / DAY_SECONDS));
}

function dayStartOf(
  arrays: TransitArrays,
  firstDay: ServiceDay,
  dayCount: number,
  zones: readonly string[],
): Transit['dayStart'] {
  const { dayStarts } = arrays;
  const outside = new Map<number, DayStart>();
  return (zone, day) => {
    const offset = day - firstDay;
    if (offset >= 0 && offset < dayCount) return dayStarts[zone * dayCount + offset] as number;
    let dayStart = outside.get(zone);
    if (dayStart === undefined) {
      dayStart = createDayStart(zones[zone] as string);
      outside.set(zone, dayStart);
    }
    return dayStart(day);
  };
}
