/**
 * A passing time is a clock time (arrival, departure or both) or a window (EarliestDepartureTime to
 * LatestArrivalTime). Callers: passing-time-order.ts and its texts.
 */
import { ABSENT, type PassingTimes } from '../model/passing-times.ts';

export const INCOMPLETE = 0;
export const CLOCK = 1;
export const WINDOW = 2;

export function kindOf(times: PassingTimes, index: number, isArea: boolean): number {
  if (!isArea && (times.arrival[index] !== ABSENT || times.departure[index] !== ABSENT)) return CLOCK;
  return times.earliestDeparture[index] !== ABSENT && times.latestArrival[index] !== ABSENT ? WINDOW : INCOMPLETE;
}

export function isTurned(times: PassingTimes, index: number, kind: number): boolean {
  if (kind === WINDOW) return (times.latestArrival[index] as number) < (times.earliestDeparture[index] as number);
  const arrival = times.arrival[index] as number;
  const departure = times.departure[index] as number;
  return arrival !== ABSENT && departure !== ABSENT && departure < arrival;
}

/**
 * Least time from one to the next. After a window, a clock time must not be before its end. Consecutive windows may
 * overlap, but neither bound may go backwards.
 */
export function secondsBetween(
  times: PassingTimes,
  from: number,
  fromKind: number,
  to: number,
  toKind: number,
): number {
  if (fromKind === WINDOW && toKind === WINDOW) {
    const begins = (times.earliestDeparture[to] as number) - (times.earliestDeparture[from] as number);
    return Math.min(begins, (times.latestArrival[to] as number) - (times.latestArrival[from] as number));
  }
  return reachedAt(times, to, toKind) - leftAt(times, from, fromKind);
}

export function leftAt(times: PassingTimes, index: number, kind: number): number {
  if (kind === WINDOW) return times.latestArrival[index] as number;
  const departure = times.departure[index] as number;
  return departure === ABSENT ? (times.arrival[index] as number) : departure;
}

export function reachedAt(times: PassingTimes, index: number, kind: number): number {
  if (kind === WINDOW) return times.earliestDeparture[index] as number;
  const arrival = times.arrival[index] as number;
  return arrival === ABSENT ? (times.departure[index] as number) : arrival;
}
