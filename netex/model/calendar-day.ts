/** Days counted from 1970-01-01, and weekdays as bits (Monday is bit 0): what a calendar is reckoned in. */
const DATE = /^\s*(\d{4})-(\d{2})-(\d{2})/;
const DAY_MS = 86_400_000;

/** 1970-01-01 to 2099-12-31: days that a calendar is worked out for, so that a period without an honest end stays small. */
export const FIRST_DAY = 0;
export const LAST_DAY = 47_481;

export const EVERY_WEEKDAY = 0b111_1111;

const WEEKDAY_BITS: Readonly<Record<string, number>> = {
  Monday: 1,
  Tuesday: 2,
  Wednesday: 4,
  Thursday: 8,
  Friday: 16,
  Saturday: 32,
  Sunday: 64,
  Weekdays: 31,
  Weekend: 96,
  Everyday: EVERY_WEEKDAY,
};

/** Of a date or the date of an instant; undefined when there is none. */
export function parseDay(text: string): number | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [, year, month, day] = match;
  return dayNumber(Number(year), Number(month), Number(day));
}

/** A 30 February is a day of March; undefined when there can be no such day. */
export function dayNumber(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  const ms = new Date(0).setUTCFullYear(year, month - 1, day);
  return Number.isNaN(ms) ? undefined : Math.round(ms / DAY_MS);
}

export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** 0 is Monday. The first day of 1970 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Of a DaysOfWeek list. */
export function parseWeekdays(text: string): number {
  let bits = 0;
  for (const word of text.split(/\s+/)) bits |= WEEKDAY_BITS[word] ?? 0;
  return bits;
}
