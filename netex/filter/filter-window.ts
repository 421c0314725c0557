/**
 * The days that a filtered dataset may run on. Callers: the decision, the copying of dates, and callers that show the
 * window.
 */
import { dayText, parseDay } from '../model/calendar-day.ts';

export const NO_DAY = -0x80000000;
const DAY_MS = 86_400_000;
const DAYS_BEFORE = 2;
const YEARS_AFTER = 3;

/** First and last day, both inclusive, in days since 1970-01-01. */
export interface FilterWindow {
  readonly from: number;
  readonly to: number;
}

/** From two days before the day to three years after it; for a 29 February, to a 1 March. Throws RangeError. */
export function filterWindow(day: string): FilterWindow {
  const number = parseDay(day);
  if (number === undefined || dayText(number) !== day) throw new RangeError(`${day} is not a day such as 2026-11-21`);
  const date = new Date(number * DAY_MS);
  date.setUTCFullYear(date.getUTCFullYear() + YEARS_AFTER);
  return { from: number - DAYS_BEFORE, to: date.getTime() / DAY_MS };
}
