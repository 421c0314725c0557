/**
 * Finds the time zone of a position: that of the nearest stop place. Callers: requests with coordinates, direct walks,
 * and quays without a stop place.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { Position } from './position.ts';

const REACHES_METRES = [1_000, 10_000, 100_000];

/**
 * Returns an IANA name. With nothing near it is the timetable's first zone; with an empty timetable it is undefined.
 */
export function zoneAt(position: Position | undefined, timetable: Timetable): string | undefined {
  const { zones } = timetable.transit;
  if (zones.length <= 1 || position === undefined || !isOnEarth(position)) return zones[0];
  for (const metres of REACHES_METRES) {
    const [nearest] = timetable.geo.stopPlacesNear(position.latitude, position.longitude, metres);
    if (nearest) return timetable.catalogue.stopPlaces.at(nearest.index).timeZone;
  }
  return zones[0];
}

function isOnEarth({ latitude, longitude }: Position): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}
