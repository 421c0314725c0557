/** Service days as rows count them, and the instants of their times. Pure. */

import type { ServiceDay } from '../../../planner/model/indices.ts';
import { createDayStart, type DayStart } from '../../../planner/transit/service-days.ts';
import { DAY_MS } from '../../../workflows/shared/spans.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;

const dayStarts = new Map<string, DayStart>();

/** `seconds` count from noon less 12 hours of the day in this zone. */
export function instantOf(timeZone: string, day: number, seconds: number): Date {
  const dayStart = dayStarts.get(timeZone) ?? createDayStart(timeZone);
  dayStarts.set(timeZone, dayStart);
  return new Date((dayStart(day as ServiceDay) + seconds) * 1_000);
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
