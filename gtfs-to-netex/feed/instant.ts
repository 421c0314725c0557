/** Times of a service day as instants, and what the clock shows then. Callers: the timetable, `dev/try-city.ts`. */
const DAY_SECONDS = 86_400;
const NOON_SECONDS = 43_200;

/** The clock of a time zone. Instants are seconds since 1970 UTC, days are days since then. */
export interface ZoneClock {
  /** Service days begin at noon less twelve hours, so that a change of clocks does not shift them. */
  dayStart(day: number): number;
  /** How far the clock is ahead of UTC. */
  aheadAt(instant: number): number;
  /** When this clock time of a day is shown first, less the time; for a time that is never shown, as before the change. */
  runStart(day: number, clockTime: number): number;
}

export function clockOf(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const known = new Map<number, number>();
  const aheadAt = (instant: number): number => {
    const ahead = known.get(instant) ?? readAhead(format, instant);
    known.set(instant, ahead);
    return ahead;
  };
  const dayStart = (day: number): number => {
    const noon = day * DAY_SECONDS + NOON_SECONDS;
    return noon - aheadAt(noon - aheadAt(noon)) - NOON_SECONDS;
  };
  const runStart = (day: number, clockTime: number): number => {
    const shown = day * DAY_SECONDS + clockTime;
    const before = aheadAt(shown - DAY_SECONDS);
    const after = aheadAt(shown + DAY_SECONDS);
    const isAfter = aheadAt(shown - before) !== before && aheadAt(shown - after) === after;
    return day * DAY_SECONDS - (isAfter ? after : before);
  };
  return { aheadAt, dayStart, runStart };
}

/** ISO 8601 in UTC. */
export function instantOf(day: number, seconds: number, timeZone: string): string {
  return new Date((clockOf(timeZone).dayStart(day) + seconds) * 1000).toISOString().replace('.000Z', 'Z');
}

function readAhead(format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
  if (!match) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60;
  return match[1] === '-' ? -seconds : seconds;
}
