/**
 * Distances on the sphere. Footpaths, nearest stops and beelines use this one formula, so that they agree to the metre.
 */

export const EARTH_RADIUS_METRES = 6_371_008.8;
export const METRES_PER_DEGREE = (EARTH_RADIUS_METRES * Math.PI) / 180;

/** Ratio of the walked length to the straight line. */
export const WALK_FACTOR = 1.3;

const RADIANS = Math.PI / 180;

export function greatCircleMetres(
  fromLatitude: number,
  fromLongitude: number,
  toLatitude: number,
  toLongitude: number,
): number {
  const sineLatitude = Math.sin(((toLatitude - fromLatitude) * RADIANS) / 2);
  const sineLongitude = Math.sin(((toLongitude - fromLongitude) * RADIANS) / 2);
  const square =
    sineLatitude * sineLatitude +
    Math.cos(fromLatitude * RADIANS) * Math.cos(toLatitude * RADIANS) * sineLongitude * sineLongitude;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Length of the walk between two positions without a known path, in metres. */
export function walkMetres(
  fromLatitude: number,
  fromLongitude: number,
  toLatitude: number,
  toLongitude: number,
): number {
  return Math.round(greatCircleMetres(fromLatitude, fromLongitude, toLatitude, toLongitude) * WALK_FACTOR);
}
