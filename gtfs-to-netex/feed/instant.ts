/** Times of a service day as instants. Callers: code that asks about a journey of a feed. */
const DAY_MS = 86_400_000;

/** ISO 8601 in UTC. Service days begin at noon less twelve hours, so that a change of clocks does not shift them. */
export function instantOf(day: number, seconds: number, timeZone: string): string {
  const noonMs = day * DAY_MS + DAY_MS / 2;
  const start = noonMs - offsetMs(noonMs, timeZone) - DAY_MS / 2;
  return new Date(start + seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** How far the zone's clocks are ahead of UTC when they show this time. */
function offsetMs(shownMs: number, timeZone: string): number {
  const guess = aheadMs(shownMs, timeZone);
  return aheadMs(shownMs - guess, timeZone);
}

function aheadMs(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
}
