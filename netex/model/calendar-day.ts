/** Days counted from 1970-01-01, and weekdays as bits (Monday is bit 0), as calendars need them. */
const DATE = /^\s*(\d{4})-(\d{2})-(\d{2})/;
const DAY_MS = 86_400_000;

/**
 * 1970-01-01 to 2099-12-31: the range for which calendars are computed, so that a period with an absurd end stays
 * small.
 */
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

/** Day of a date or of an instant's date; undefined when there is none. */
export function parseDay(text: string): number | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [, year, month, day] = match;
  return dayNumber(Number(year), Number(month), Number(day));
}

/** A 30 February counts as a day of March; undefined for impossible days. */
export function dayNumber(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
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

/** Bits of a DaysOfWeek list. */
export function parseWeekdays(text: string): number {
  let bits = 0;
  for (const word of text.split(/\s+/)) bits |= WEEKDAY_BITS[word] ?? 0;
  return bits;
}
