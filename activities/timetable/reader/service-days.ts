/** Service days as rows count them, and the starts of runs. Pure. */

import type { ServiceDay } from '../../../planner/model/indices.ts';
import {
  type ClockShifts,
  createClockShifts,
  createDayStart,
  type DayStart,
  keptByDay,
  shiftOf,
} from '../../../planner/transit/service-days.ts';
import { DAY_MS } from '../../../workflows/shared/spans.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;

interface Clock {
  readonly dayStart: DayStart;
  readonly shifts: ClockShifts;
}

const clocks = new Map<string, Clock>();

/**
 * From when the times of a run count, in milliseconds since 1970 UTC.
 * @param firstDeparture of the run, in seconds of the service day
 */
export function runStartMs(timeZone: string, day: number, firstDeparture: number): number {
  const { dayStart, shifts } = clockOf(timeZone);
  const serviceDay = day as ServiceDay;
  return (dayStart(serviceDay) + shiftOf(shifts(serviceDay), firstDeparture)) * 1_000;
}

function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const dayStart = keptByDay(createDayStart(timeZone));
  const clock = { dayStart, shifts: createClockShifts(timeZone, dayStart) };
  clocks.set(timeZone, clock);
  return clock;
}

/** `2026-11-23` of days since 1970-01-01. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Undefined when the text is no date. */
export function dayOf(date: string): number | undefined {
  const day = DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) / DAY_MS : Number.NaN;
  return Number.isInteger(day) && dateOf(day) === date ? day : undefined;
}

/** `days`: first, last, first, last … as rows have them. */
export function isAmong(days: readonly number[], day: number): boolean {
  for (let at = 0; at + 1 < days.length; at += 2) {
    if (day >= (days[at] as number) && day <= (days[at + 1] as number)) return true;
  }
  return false;
}
