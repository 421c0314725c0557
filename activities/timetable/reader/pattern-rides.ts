/** Rides on a journey pattern: from a call where one may board to a later one where one may alight. Pure. */
import type { DirectConnection } from '../../shared/timetable.ts';
import type { PatternRow } from '../planner-journey-rows.ts';
import type { LineRow } from '../planner-place-rows.ts';

/** True when the stop place is this place, or below it. */
export type IsAt = (stopPlaceId: string) => boolean;

export interface Ride {
  readonly from: number;
  readonly to: number;
}

/** For each call where one may board, the ride to the next call where one may alight. */
export function ridesOf(pattern: PatternRow, isFrom: IsAt, isTo: IsAt): readonly Ride[] {
  const { stopPlaceIds, noBoarding, noAlighting } = pattern;
  return stopPlaceIds.flatMap((place, from) => {
    if (!isFrom(place) || noBoarding.includes(from)) return [];
    const to = stopPlaceIds.findIndex((other, at) => at > from && isTo(other) && !noAlighting.includes(at));
    return to === -1 ? [] : [{ from, to }];
  });
}

/** The connection of each line, by its shortest ride. */
export function connectionsOf(
  rides: readonly { readonly pattern: PatternRow; readonly ride: Ride }[],
  lines: ReadonlyMap<string, LineRow>,
): readonly DirectConnection[] {
  const shortest = new Map<string, DirectConnection>();
  for (const { pattern, ride } of rides) {
    const distanceMetres = (pattern.distances[ride.to] as number) - (pattern.distances[ride.from] as number);
    const known = shortest.get(pattern.lineId);
    if (known && known.distanceMetres <= distanceMetres) continue;
    shortest.set(pattern.lineId, {
      lineId: pattern.lineId,
      mode: lines.get(pattern.lineId)?.mode ?? 'unknown',
      authorityId: pattern.authorityId,
      distanceMetres,
      zoneIds: zonesOnTheWay(pattern, ride),
    });
  }
  return [...shortest.values()].sort((one, other) => (one.lineId < other.lineId ? -1 : 1));
}

function zonesOnTheWay({ zoneIds }: PatternRow, { from, to }: Ride): readonly string[] {
  const passed = zoneIds.slice(from, to + 1).flat();
  return passed.filter((zone, at) => zone !== passed[at - 1]);
}
