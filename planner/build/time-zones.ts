/** IANA time zones of a snapshot. Data without a zone gets the zone that most authorities have. */
import type { PackedInput } from './packed-input.ts';

/** The zone used when the data has none at all. */
const DEFAULT_ZONE = 'Europe/Oslo';

const known = new Map<string, boolean>();

export function isTimeZone(name: string): boolean {
  const answer = known.get(name) ?? isAccepted(name);
  known.set(name, answer);
  return answer;
}

export function mainTimeZone(input: PackedInput): string {
  const counts = new Map<string, number>();
  for (const number of input.tables.authority.numbers('timeZone')) {
    const zone = input.texts.text(number) ?? DEFAULT_ZONE;
    counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  let main = DEFAULT_ZONE;
  for (const zone of [...counts.keys()].sort()) {
    if ((counts.get(zone) ?? 0) > (counts.get(main) ?? 0)) main = zone;
  }
  return main;
}

function isAccepted(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
