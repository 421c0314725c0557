/**
 * ISO 8601 durations of weeks, days, hours, minutes and seconds. Days are counted in a time zone and may have 23 or 25 hours,
 * so they stay apart from elapsed time. Pure.
 */

export interface Duration {
  readonly days: number;
  readonly seconds: number;
}

const DURATION =
  /^(-?)P(?=[\dT])(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/;
const DAYS_PER_WEEK = 7;
const SECONDS_PER_DAY = 86_400;
const SECONDS_PER_HOUR = 3_600;
const SECONDS_PER_MINUTE = 60;

/** Both members are negative, or 0, after a leading minus. Undefined when the text is no such duration. */
export function parseDuration(text: string): Duration | undefined {
  const match = DURATION.exec(text);
  if (!match) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((digits) => Number(digits ?? 0));
  const factor = match[1] === '-' ? -1 : 1;
  const signed = (value: number) => (value === 0 ? 0 : factor * value);
  return {
    days: signed((weeks ?? 0) * DAYS_PER_WEEK + (days ?? 0)),
    seconds: signed((hours ?? 0) * SECONDS_PER_HOUR + (minutes ?? 0) * SECONDS_PER_MINUTE + (seconds ?? 0)),
  };
}

/** Throws RangeError. For texts that the catalogue has checked. */
export function readDuration(text: string): Duration {
  const duration = parseDuration(text);
  if (!duration) throw new RangeError(`${text} is no duration of weeks, days and time`);
  return duration;
}

/** To compare durations; a day counts 24 hours. */
export function nominalSeconds({ days, seconds }: Duration): number {
  return days * SECONDS_PER_DAY + seconds;
}
