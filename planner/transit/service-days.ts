/**
 * When service days begin: noon less twelve hours in a time zone, so that times past a clock change stay where the
 * timetable says. Used when a snapshot is built, and for the few days outside it.
 */
import type { ServiceDay } from '../model/indices.ts';

const DAY_SECONDS = 86_400;
const NOON_SECONDS = 43_200;

export type DayStart = (day: ServiceDay) => number;

/** Seconds since 1970 UTC. Throws a RangeError for a name that is no IANA time zone. */
export function createDayStart(zone: string): DayStart {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsetAt = (instant: number): number => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant * 1000)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - instant;
  };
  return (day) => {
    const noon = day * DAY_SECONDS + NOON_SECONDS;
    // The first offset is of another instant than local noon; the second look is at most minutes away from it.
    const near = noon - offsetAt(noon);
    return noon - offsetAt(near) - NOON_SECONDS;
  };
}
