/**
 * Computes the start of service days: noon less twelve hours in a time zone, so that times after a clock change match
 * the timetable. The builder uses it, and readers use it for the few days outside a snapshot.
 */
import type { ServiceDay } from '../model/indices.ts';

const DAY_SECONDS = 86_400;
const NOON_SECONDS = 43_200;

export type DayStart = (day: ServiceDay) => number;

/** Returns seconds since 1970 UTC. `createDayStart` throws a RangeError if the name is no IANA time zone. */
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
    // The first offset belongs to an instant up to a day from local noon. The second belongs to one within minutes of
    // it.
    const near = noon - offsetAt(noon);
    return noon - offsetAt(near) - NOON_SECONDS;
  };
}
