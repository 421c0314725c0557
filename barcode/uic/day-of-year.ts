/** Year, day of the year (1 January is 1) and minute of the day, in UTC, as UIC's modules tell an instant. */
export interface UicInstant {
  readonly year: number;
  readonly day: number;
  readonly minutes: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Seconds are cut off. */
export function toUicInstant(instant: Date): UicInstant {
  const year = instant.getUTCFullYear();
  const sinceNewYear = instant.getTime() - Date.UTC(year, 0, 1);
  const day = Math.floor(sinceNewYear / DAY_MS);
  return { year, day: day + 1, minutes: Math.floor((sinceNewYear - day * DAY_MS) / MINUTE_MS) };
}

export function fromUicInstant({ year, day, minutes }: UicInstant): Date {
  return new Date(Date.UTC(year, 0, day, 0, minutes));
}
