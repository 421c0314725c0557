/**
 * Parses times of day and durations by hand: a file may have hundreds of thousands.
 *
 * Times are local times at the stop. A time zone after a time is ignored: a journey is in one zone, which shifts all
 * its times alike. An invalid time gives ABSENT; the schema stage reports it.
 */
import { ABSENT } from './passing-times.ts';

const DAY_SECONDS = 86_400;
/** Longer journeys are errors, and would exceed the range of the arrays. */
const LARGEST_DAY_OFFSET = 1000;

const COLON = 58;

/** `hh:mm:ss`, optionally with fractions and a zone, as seconds since midnight. 24:00:00 is the end of the day. */
export function parseClockTime(text: string): number {
  const start = text.charCodeAt(0) <= 32 ? text.length - text.trimStart().length : 0;
  if (text.charCodeAt(start + 2) !== COLON || text.charCodeAt(start + 5) !== COLON) return ABSENT;
  const hours = twoDigits(text, start);
  const minutes = twoDigits(text, start + 3);
  const seconds = twoDigits(text, start + 6);
  if (hours < 0 || minutes < 0 || seconds < 0 || hours > 24 || minutes > 59 || seconds > 59) return ABSENT;
  return hours * 3600 + minutes * 60 + seconds;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

/** Whole days; 0 for invalid text. */
export function parseDayOffset(text: string): number {
  const offset = Number.parseInt(text, 10);
  return Number.isNaN(offset) ? 0 : Math.max(-LARGEST_DAY_OFFSET, Math.min(LARGEST_DAY_OFFSET, offset));
}

/** Seconds since midnight of the operating day; below ABSENT for earlier times. */
export function addDays(timeSeconds: number, days: number): number {
  if (timeSeconds === ABSENT) return ABSENT;
  const total = timeSeconds + days * DAY_SECONDS;
  // The last second of the previous day would equal ABSENT.
  return total === ABSENT ? ABSENT - 1 : total;
}

/** Formats a time for messages: `23:50`, `00:10 the next day`. */
export function clockText(timeSeconds: number): string {
  const days = Math.floor(timeSeconds / DAY_SECONDS);
  const rest = timeSeconds - days * DAY_SECONDS;
  const two = (value: number): string => String(value).padStart(2, '0');
  const seconds = rest % 60 === 0 ? '' : `:${two(rest % 60)}`;
  const time = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}${seconds}`;
  if (days === 0) return time;
  return days === 1 ? `${time} the next day` : `${time} (day offset ${days})`;
}

const DURATION = /^\s*(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?\s*$/;

/** An xsd:duration of days and smaller units, in seconds; undefined for months, years and invalid text. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (!match) return undefined;
  const [, minus, days, hours, minutes, seconds] = match;
  if ((days ?? hours ?? minutes ?? seconds) === undefined) return undefined;
  const total =
    Number(days ?? 0) * DAY_SECONDS + Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return minus === undefined ? total : -total;
}
