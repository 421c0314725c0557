/**
 * Dates as `yyyy-MM-dd` texts, and the public holidays of Norway. A service day is never an instant. Callers: the
 * calendar and the dated journeys of the demo region, its import.
 */
import { DAY_MS } from '../../workflows/shared/spans.ts';

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** Lists days from first to last, both included. */
export function listDays(from: string, to: string): string[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
}

/** Returns the weekday; 0 is Sunday. */
export function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** Throws unless the text is a day of the calendar. */
export function parseDate(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const instant = Date.parse(`${text}T00:00:00Z`);
    if (!Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)) return text;
  }
  throw new Error(`"${text}" is not a date of the form yyyy-MM-dd, for example 2026-11-21`);
}

/** Returns today's date in Norway, whatever the machine's zone. */
export function todayInOslo(now: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' }).format(now);
}

/** Computes Easter Sunday by Gauss's rule (Gregorian). */
function easter(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return `${year}-${String(Math.floor(f / 31)).padStart(2, '0')}-${String((f % 31) + 1).padStart(2, '0')}`;
}

export function isPublicHoliday(date: string): boolean {
  if (['01-01', '05-01', '05-17', '12-25', '12-26'].includes(date.slice(5))) return true;
  const fromEaster = daysBetween(easter(Number(date.slice(0, 4))), date);
  return [-3, -2, 0, 1, 39, 49, 50].includes(fromEaster);
}

/** Christmas and New Year's Eve run as Saturdays. */
export function isEve(date: string): boolean {
  return ['12-24', '12-31'].includes(date.slice(5));
}

/** Turns minutes after midnight of the service day into a clock time. The day offset covers times after 24:00. */
export function clockTime(minute: number): string {
  const ofDay = minute % 1440;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}:00`;
}

export function dayOffset(minute: number): number {
  return Math.floor(minute / 1440);
}
