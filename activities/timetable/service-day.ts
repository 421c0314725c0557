/** Which day it is where the timetables are run; the zone comes from configuration. Pure. */

/** `yyyy-MM-dd`. Throws RangeError for an instant or a zone that there is not. */
export function serviceDayOf(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const found = Object.fromEntries(parts.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${found.year}-${found.month}-${found.day}`;
}
