/** The day in the time zone of the timetables, which configuration sets. Pure. */

/** As `yyyy-MM-dd`. Throws RangeError for an invalid instant or zone. */
export function serviceDayOf(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const found = Object.fromEntries(parts.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${found.year}-${found.month}-${found.day}`;
}
