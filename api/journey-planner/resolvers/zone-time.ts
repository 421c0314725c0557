/**
 * Instants and local times, both ways, by IANA zone. Called for every time on a board, so offsets are kept per zone and day and
 * texts are made of tables. Never used for service-day times: those are the timetable's (`Transit.dayStart`).
 */
const DAY_SECONDS = 86_400;
const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));
/** Days of one zone kept; a caller who asks for more years than that starts anew. */
const MAX_DAYS = 4_000;
const CHANGING = Number.MIN_SAFE_INTEGER;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offset in seconds by UTC day; CHANGING on days with a change. */
  readonly offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();
const dates = new Map<number, string>();
const offsetTexts = new Map<number, string>();

/** What was asked last: a call is asked for its aimed and its expected time, and most arrive when they depart. */
let last = { seconds: Number.NaN, zoneName: '', text: '' };

/** `2026-11-22T08:00:00+01:00` */
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

/** `2026-11-22` of days since 1970-01-01. */
export function formatDay(day: number): string {
  let text = dates.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
    if (dates.size >= MAX_DAYS) dates.clear();
    dates.set(day, text);
  }
  return text;
}

/** `08:00:00` of seconds since midnight, less than a day. */
export function formatClock(secondsOfDay: number): string {
  const hour = Math.floor(secondsOfDay / 3_600);
  const minute = Math.floor(secondsOfDay / 60) % 60;
  return `${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[secondsOfDay % 60]}`;
}

/** Seconds east of UTC at an instant. */
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

/** Seconds since 1970 UTC of a local time given as if it were UTC; of the two in autumn the earlier, of the missing hour in spring the time after it. */
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

/** From `GMT+01:00`, `GMT-03:30:15` or `GMT`. */
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
