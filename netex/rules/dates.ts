/**
 * Dates as the schema writes them: xs:date and xs:dateTime, with a time zone or without.
 *
 * Callers: rules on periods. Never says anything of a text that is no date: that is the schema stage's.
 */

const DATE = /^(-?\d{4,})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(\.\d+)?)?(?:(Z)|([+-])(\d\d):(\d\d))?$/;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface WrittenDate {
  /** Of its beginning, as read off a clock at its own place. */
  readonly clockMs: number;
  /** How far that clock is ahead of UTC; undefined where nothing is said. */
  readonly zoneMs: number | undefined;
  /** Without a time it means the day from its beginning to its end. */
  readonly isWholeDay: boolean;
}

function readDate(text: string): WrittenDate | undefined {
  const parts = DATE.exec(text.trim());
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, fraction, utc, sign, zoneHours, zoneMinutes] = parts;
  const clockMs =
    Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour ?? 0),
      Number(minute ?? 0),
      Number(second ?? 0),
    ) +
    Number(fraction ?? 0) * 1000;
  const zone = sign && (Number(zoneHours) * 60 + Number(zoneMinutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  return { clockMs, zoneMs: utc ? 0 : zone || zone === 0 ? zone : undefined, isWholeDay: hour === undefined };
}

/**
 * Whether a period is over before it begins. A last day counts to its end. Where only one of the two says its zone, the
 * other is read in the same.
 */
export function endsBeforeItStarts(from: string, to: string): boolean {
  const start = readDate(from);
  const end = readDate(to);
  if (!start || !end) return false;
  const zonesKnown = start.zoneMs !== undefined && end.zoneMs !== undefined;
  const startMs = start.clockMs - (zonesKnown ? (start.zoneMs ?? 0) : 0);
  const endMs = end.clockMs - (zonesKnown ? (end.zoneMs ?? 0) : 0);
  return end.isWholeDay ? endMs + DAY_MS <= startMs : endMs < startMs;
}
