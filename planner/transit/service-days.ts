/**
 * The start of service days, noon less twelve hours in a time zone, and the runs that a clock change shifts. The builder
 * and the readers of a snapshot use it.
 *
 * Published times are clock times. A run leaves its first stop when the clock shows its first departure, and takes as
 * long as on any other day. So on a day on which the clock changes, runs on the other side of the change than noon count
 * from an hour earlier or later (decision 0428).
 */
import type { ServiceDay } from '../model/indices.ts';
import type { ClockShift } from '../model/transit.ts';

const DAY_SECONDS = 86_400;
const NOON_SECONDS = 43_200;
/** First departures later than this many days after noon of their service day keep the last shift. */
const DAYS_AFTER_NOON = 3;
const DAYS_KEPT = 1_000;

export type DayStart = (day: ServiceDay) => number;

/** Shifts of a service day in order of `from`; empty on all days without a clock change. */
export type ClockShifts = (day: ServiceDay) => readonly ClockShift[];

const NO_SHIFTS: readonly ClockShift[] = [];

/** Returns seconds since 1970 UTC. `createDayStart` throws a RangeError if the name is no IANA time zone. */
export function createDayStart(zone: string): DayStart {
  const offsetAt = createOffset(zone);
  return (day) => {
    const noon = day * DAY_SECONDS + NOON_SECONDS;
    // The first offset belongs to an instant up to a day from local noon. The second belongs to one within minutes of
    // it.
    const near = noon - offsetAt(noon);
    return noon - offsetAt(near) - NOON_SECONDS;
  };
}

/** @param dayStart of the same zone; days without a change need nothing else */
export function createClockShifts(zone: string, dayStart: DayStart): ClockShifts {
  let offsetAt: ((instant: number) => number) | undefined;
  return keptByDay((day) => {
    const starts = Array.from({ length: DAYS_AFTER_NOON + 2 }, (_, after) => dayStart((day + after - 1) as ServiceDay));
    if (starts.every((start, after) => after === 0 || start - (starts[after - 1] as number) === DAY_SECONDS))
      return NO_SHIFTS;
    offsetAt ??= createOffset(zone);
    return shiftsOf(day * DAY_SECONDS, starts, offsetAt);
  });
}

/** Keeps what was made for the days asked for, since boards, searches and sales ask for the same days again and again. */
export function keptByDay<Made>(make: (day: ServiceDay) => Made): (day: ServiceDay) => Made {
  const known = new Map<ServiceDay, Made>();
  return (day) => {
    const kept = known.get(day);
    if (kept !== undefined) return kept;
    const made = make(day);
    if (known.size >= DAYS_KEPT) known.clear();
    known.set(day, made);
    return made;
  };
}

/** @param midnight of the service day by the clock, as if it were UTC */
function shiftsOf(midnight: number, starts: readonly number[], offsetAt: (instant: number) => number): ClockShift[] {
  const offsets = starts.map((start) => offsetAt(start + NOON_SECONDS));
  const atNoon = offsets[1] as number;
  const shifts: ClockShift[] = [{ from: Number.NEGATIVE_INFINITY, seconds: atNoon - (offsets[0] as number) }];
  for (const [index, after] of offsets.entries()) {
    const before = offsets[index - 1] ?? after;
    if (before === after) continue;
    const change = changeBetween(
      (starts[index - 1] as number) + NOON_SECONDS,
      starts[index] as number,
      before,
      offsetAt,
    );
    // A time that the clock skips or shows twice counts as before the change.
    shifts.push({ from: change + Math.max(before, after) - midnight, seconds: atNoon - after });
  }
  return shifts;
}

/** The first instant at which the offset is no longer the one of noon before. `day` is the start of the next service day. */
function changeBetween(noon: number, day: number, before: number, offsetAt: (instant: number) => number): number {
  let [low, high] = [noon, day + NOON_SECONDS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** How much later a run counts than its service day starts. */
export function shiftOf(shifts: readonly ClockShift[], firstDeparture: number): number {
  let seconds = 0;
  for (const shift of shifts) {
    if (shift.from > firstDeparture) break;
    seconds = shift.seconds;
  }
  return seconds;
}

/** Seconds that the clocks of a zone are ahead of UTC at an instant. */
function createOffset(zone: string): (instant: number) => number {
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
  return (instant) => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant * 1000)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - instant;
  };
}
