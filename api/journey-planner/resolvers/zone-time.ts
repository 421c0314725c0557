/**
 * Converts instants to local times and back, by IANA zone. It runs for every time on a board, so it caches offsets per
 * zone and day, and makes texts from tables. Do not use it for service-day times, which belong to the timetable
 * (`Transit.dayStart`).
 */
const DAY_SECONDS = 86_400;
const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));
/** Number of cached days per zone. At this number the cache of the zone is emptied. */
const MAX_DAYS = 4_000;
const CHANGING = Number.MIN_SAFE_INTEGER;
/** Days since 1970 of 0000-01-01 and 9999-12-31, because a text has four digits for the year. */
const FIRST_DAY = Date.parse('0000-01-01T00:00:00Z') / 1_000 / DAY_SECONDS;
const LAST_DAY = Date.parse('9999-12-31T00:00:00Z') / 1_000 / DAY_SECONDS;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offset in seconds by UTC day; CHANGING on days with a change. */
  readonly offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();
const dates = new Map<number, string>();
const offsetTexts = new Map<number, string>();

/** The last result. A call formats its aimed and its expected time, and most arrive when they depart. */
let last = { seconds: Number.NaN, zoneName: '', text: '' };

/** Returns a text such as `2026-11-22T08:00:00+01:00`. */
export function formatInstant(seconds: number, zoneName: string): string {
  if (seconds !== last.seconds || zoneName !== last.zoneName) {
    last = { seconds, zoneName, text: textOf(seconds, zoneName) };
  }
  return last.text;
}

function textOf(seconds: number, zoneName: string): string {
  const offset = offsetAt(seconds, zoneName);
  const local = seconds + offset;
  const day = Math.floor(local / DAY_SECONDS);
  return `${formatDay(day)}T${formatClock(local - day * DAY_SECONDS)}${offsetText(offset)}`;
}

/** Turns days since 1970-01-01 into a text such as `2026-11-22`, and days outside four-digit years into the nearest inside. */
export function formatDay(day: number): string {
  let text = dates.get(day);
  if (text === undefined) {
    const written = Math.min(Math.max(day, FIRST_DAY), LAST_DAY);
    text = new Date(written * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
    if (dates.size >= MAX_DAYS) dates.clear();
    dates.set(day, text);
  }
  return text;
}

/** Turns seconds since midnight, less than a day, into a text such as `08:00:00`. */
export function formatClock(secondsOfDay: number): string {
  const hour = Math.floor(secondsOfDay / 3_600);
  const minute = Math.floor(secondsOfDay / 60) % 60;
  return `${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[secondsOfDay % 60]}`;
}

/** Returns seconds east of UTC at an instant. */
export function offsetAt(seconds: number, zoneName: string): number {
  const zone = getZone(zoneName);
  const day = Math.floor(seconds / DAY_SECONDS);
  let offset = zone.offsets.get(day);
  if (offset === undefined) {
    const start = readOffset(zone, day * DAY_SECONDS);
    offset = start === readOffset(zone, (day + 1) * DAY_SECONDS) ? start : CHANGING;
    if (zone.offsets.size >= MAX_DAYS) zone.offsets.clear();
    zone.offsets.set(day, offset);
  }
  return offset === CHANGING ? readOffset(zone, seconds) : offset;
}

/**
 * Converts a local time, given as if it were UTC, to seconds since 1970 UTC. If a time occurs twice, in autumn, it
 * returns the earlier. For the missing hour in spring it returns the time after it.
 */
export function instantOfLocal(localSeconds: number, zoneName: string): number {
  const before = offsetAt(localSeconds - DAY_SECONDS, zoneName);
  const early = localSeconds - before;
  if (offsetAt(early, zoneName) === before) return early;
  const after = offsetAt(localSeconds + DAY_SECONDS, zoneName);
  const late = localSeconds - after;
  return offsetAt(late, zoneName) === after ? late : early;
}

function getZone(name: string): Zone {
  let zone = zones.get(name);
  if (!zone) {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' });
    zone = { format, offsets: new Map() };
    zones.set(name, zone);
  }
  return zone;
}

/** Reads `GMT+01:00`, `GMT-03:30:15` or `GMT`. */
function readOffset(zone: Zone, seconds: number): number {
  const part = zone.format.formatToParts(seconds * 1_000).find(({ type }) => type === 'timeZoneName');
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(part?.value ?? '');
  if (!match) return 0;
  const [, sign, hours, minutes, rest] = match;
  const size = Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest ?? 0);
  return sign === '-' ? -size : size;
}

function offsetText(offset: number): string {
  let text = offsetTexts.get(offset);
  if (text === undefined) {
    text = `${offset < 0 ? '-' : '+'}${formatClock(Math.abs(offset)).slice(0, 5)}`;
    offsetTexts.set(offset, text);
  }
  return text;
}
