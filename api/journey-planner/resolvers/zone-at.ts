/**
 * The time zone of a position: what is no journey's has the zone of the stop place nearest to it. Called for questions from
 * coordinates, for walks all the way, and for quays of no stop place.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { Position } from './position.ts';

const REACHES_METRES = [1_000, 10_000, 100_000];

/** IANA name; where nothing is near that of the timetable, undefined when that is empty. */
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
