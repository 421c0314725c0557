/**
 * Instants as the schema writes them: xs:date and xs:dateTime, with a time zone or without. Callers: rules on periods, the
 * reader of stop registers. Never says anything of a text that is none: that is the schema stage's.
 */
import { dayNumber } from './calendar-day.ts';

const INSTANT = /^(-?\d{4,})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?)?(?:(Z)|([+-])(\d\d):(\d\d))?$/;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export interface WrittenInstant {
  /** Of its beginning, as read off a clock at its own place. */
  readonly clockMs: number;
  /** How far that clock is ahead of UTC; undefined where nothing is said. */
  readonly zoneMs: number | undefined;
  /** Without a time it means the day from its beginning to its end. */
  readonly isWholeDay: boolean;
}

export function readInstant(text: string): WrittenInstant | undefined {
  const parts = INSTANT.exec(text.trim());
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, fraction, utc, sign, zoneHours, zoneMinutes] = parts;
  const number = dayNumber(Number(year), Number(month), Number(day));
  if (number === undefined || Number(hour ?? 0) > 24 || Number(minute ?? 0) > 59) return undefined;
  const minutesMs = (Number(hour ?? 0) * 60 + Number(minute ?? 0)) * MINUTE_MS;
  const secondsMs = (Number(second ?? 0) + Number(fraction ?? 0)) * SECOND_MS;
  const zoneSizeMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * MINUTE_MS;
  const writtenZoneMs = sign === undefined ? undefined : sign === '-' ? -zoneSizeMs : zoneSizeMs;
  return {
    clockMs: number * DAY_MS + minutesMs + Math.round(secondsMs),
    zoneMs: utc ? 0 : writtenZoneMs,
    isWholeDay: hour === undefined,
  };
}

/**
 * Milliseconds since 1970; undefined when it is no instant. Without an offset it is taken as UTC: the answer must not
 * depend on the machine, and an hour or two matter to no one's choice between versions of a stop.
 */
export function parseInstantMs(text: string): number | undefined {
  const instant = readInstant(text);
  return instant && instant.clockMs - (instant.zoneMs ?? 0);
}
