/**
 * Days and durations in the time zone of the catalogue. Pure. A day of the clock may have 23 or 25 hours: `P1D` keeps
 * the time of the clock, `PT24H` is elapsed time.
 */
import { DAY_MS, HOUR_MS, SECOND_MS } from './spans.ts';

const DURATION = /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const EMPTY = /^-?PT?$|T$/;

/** Months and days are of the calendar, the rest is elapsed time. Negative durations have negative members. */
export interface Duration {
  readonly months: number;
  readonly days: number;
  readonly elapsedMs: number;
}

/** Undefined when the text is no ISO 8601 duration in whole numbers. A leading minus counts backwards. */
export function parseDuration(text: string): Duration | undefined {
  const match = DURATION.exec(text);
  if (!match || EMPTY.test(text)) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(2)
    .map((digits) => Number(digits ?? 0));
  const sign = match[1] === '-' ? -1 : 1;
  const elapsedMs = hours * HOUR_MS + minutes * 60 * SECOND_MS + seconds * SECOND_MS;
  // Adding 0 turns -0 into 0.
  const signed = (value: number) => sign * value + 0;
  return { months: signed(years * 12 + months), days: signed(weeks * 7 + days), elapsedMs: signed(elapsedMs) };
}

/** `2026-11-23`, the day of an instant in this zone. */
export function localDateOf(instant: Date, timeZone: string): string {
  return new Date(wallMs(instant, timeZone)).toISOString().slice(0, 10);
}

/** The first instant of a day. */
export function startOfDay(date: string, timeZone: string): Date {
  return instantOf(Date.parse(`${date}T00:00:00Z`), timeZone);
}

/** Whole days from one date to another; negative when the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** The last day of a shorter month when the day of the month does not exist there. Throws RangeError for no duration. */
export function addDuration(instant: Date, duration: string, timeZone: string): Date {
  const { months, days, elapsedMs } = requireDuration(duration);
  const moved = months === 0 && days === 0 ? instant : addToCalendar(instant, months, days, timeZone);
  return new Date(moved.getTime() + elapsedMs);
}

export function subtractDuration(instant: Date, duration: string, timeZone: string): Date {
  return addDuration(instant, duration.startsWith('-') ? duration.slice(1) : `-${duration}`, timeZone);
}

function requireDuration(text: string): Duration {
  const duration = parseDuration(text);
  if (!duration) throw new RangeError(`${text} is no ISO 8601 duration`);
  return duration;
}

function addToCalendar(instant: Date, months: number, days: number, timeZone: string): Date {
  const wall = new Date(wallMs(instant, timeZone));
  const dayOfMonth = wall.getUTCDate();
  wall.setUTCDate(1);
  wall.setUTCMonth(wall.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
  wall.setUTCDate(Math.min(dayOfMonth, lastDay) + days);
  return instantOf(wall.getTime(), timeZone);
}

/** The clock of a zone, written as if it were UTC. */
function wallMs(instant: Date, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of clockOf(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const milliseconds = ((instant.getTime() % SECOND_MS) + SECOND_MS) % SECOND_MS;
  return Date.UTC(year, month - 1, day, hour, minute, second) + milliseconds;
}

/** The instant at which the clock shows this. Of a time that the clock skips, the instant just as long after the change. */
function instantOf(wall: number, timeZone: string): Date {
  const offsetAt = (ms: number) => wallMs(new Date(ms), timeZone) - ms;
  const earlier = wall - offsetAt(wall - DAY_MS);
  if (wallMs(new Date(earlier), timeZone) === wall) return new Date(earlier);
  const later = wall - offsetAt(wall + DAY_MS);
  return new Date(wallMs(new Date(later), timeZone) === wall ? later : earlier);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes long. Throws RangeError for an unknown zone. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(timeZone, clock);
  return clock;
}
