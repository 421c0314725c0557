/**
 * Parses instants of the schema: xs:date and xs:dateTime, with or without a time zone. Never reports invalid texts:
 * the schema stage does. Callers: rules on periods, the reader of stop registers.
 */
import { dayNumber } from './calendar-day.ts';

const INSTANT = /^(-?\d{4,})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?)?(?:(Z)|([+-])(\d\d):(\d\d))?$/;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export interface WrittenInstant {
  /** Local clock time of its beginning. */
  readonly clockMs: number;
  /** Offset of that clock from UTC; undefined when not given. */
  readonly zoneMs: number | undefined;
  /** Without a time, it means the whole day. */
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
 * Milliseconds since 1970; undefined for invalid texts. Without an offset it counts as UTC, so that the result does
 * not depend on the machine. An hour or two do not matter when choosing between versions of a stop.
 */
export function parseInstantMs(text: string): number | undefined {
  const instant = readInstant(text);
  return instant && instant.clockMs - (instant.zoneMs ?? 0);
}
