/**
 * Distances on the earth, for rules that compare positions. A sphere is exact to 0.5 %, far below any limit of the
 * rules.
 */
const EARTH_RADIUS_METRES = 6_371_000;
const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * Great-circle distance by the haversine formula. Takes numbers, not objects: it runs once per pair of neighbouring
 * stops.
 */
export function distanceMetres(
  fromLatitude: number,
  fromLongitude: number,
  toLatitude: number,
  toLongitude: number,
): number {
  const sinLatitude = Math.sin(((toLatitude - fromLatitude) * RADIANS_PER_DEGREE) / 2);
  const sinLongitude = Math.sin(((toLongitude - fromLongitude) * RADIANS_PER_DEGREE) / 2);
  const haversine =
    sinLatitude * sinLatitude +
    Math.cos(fromLatitude * RADIANS_PER_DEGREE) *
      Math.cos(toLatitude * RADIANS_PER_DEGREE) *
      sinLongitude *
      sinLongitude;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(haversine)));
}
