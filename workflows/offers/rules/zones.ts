/**
 * Counts the fare zones of a ride. Timetables say which zones a stop lies in, and nothing of how zones lie to each
 * other, so both rules use what the ride itself shows. Pure.
 *
 * POINT_TO_POINT: the different zones along the way. RING: the first zone is 1, and each zone is one more than the
 * nearest zone to it; zones are neighbours when the ride goes from one to the other.
 */
import type { ZoneType } from '../../shared/fares.ts';

export interface CountedZones {
  /** Each zone once, in the order of the ride. */
  readonly zoneIds: readonly string[];
  readonly count: number;
}

/**
 * `calls`: the zones of each call, in order. A stop on a border lies in several, of which the ride needs one. Only zones
 * in `allowed` count, where it is given. Undefined when a call has no zone.
 */
export function countZones(
  calls: readonly (readonly string[])[],
  zoneType: ZoneType | undefined,
  allowed?: readonly string[],
): CountedZones | undefined {
  const possible = calls.map((zones) => (allowed ? zones.filter((zone) => allowed.includes(zone)) : zones));
  if (possible.length === 0 || possible.some((zones) => zones.length === 0)) return undefined;
  const passed = zonesPassed(possible);
  const zoneIds = [...new Set(passed)];
  return { zoneIds, count: zoneType === 'RING' ? countRings(passed) : zoneIds.length };
}

/** One zone for each call: that of the call before, else one of the ride so far, else one that the next call is in. */
function zonesPassed(calls: readonly (readonly string[])[]): readonly string[] {
  const passed: string[] = [];
  for (const [at, zones] of calls.entries()) {
    const known = passed.findLast((zone) => zones.includes(zone));
    const shared = zones.find((zone) => calls[at + 1]?.includes(zone));
    passed.push(known ?? shared ?? (zones[0] as string));
  }
  return passed;
}

function countRings(passed: readonly string[]): number {
  const neighbours = new Map<string, Set<string>>(passed.map((zone) => [zone, new Set()]));
  for (const [at, zone] of passed.entries()) {
    const next = passed[at + 1];
    if (next === undefined || next === zone) continue;
    neighbours.get(zone)?.add(next);
    neighbours.get(next)?.add(zone);
  }
  let ring = new Set(passed.slice(0, 1));
  const reached = new Set(ring);
  let rings = 0;
  while (ring.size > 0) {
    rings += 1;
    const next = [...ring].flatMap((zone) => [...(neighbours.get(zone) ?? [])]).filter((zone) => !reached.has(zone));
    ring = new Set(next);
    for (const zone of ring) reached.add(zone);
  }
  return rings;
}
