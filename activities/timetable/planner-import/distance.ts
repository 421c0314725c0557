/** Straight-line distances, for times that are estimated by distance. Pure. */
const EARTH_RADIUS_METRES = 6_371_009;
const RADIANS = Math.PI / 180;

export interface Place {
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

/** 0 when one of the places is unknown. */
export function beelineMetres(from: Place, to: Place): number {
  const { latitude, longitude } = from;
  if (latitude === undefined || longitude === undefined) return 0;
  if (to.latitude === undefined || to.longitude === undefined) return 0;
  const north = (to.latitude - latitude) * RADIANS;
  const east = (to.longitude - longitude) * RADIANS * Math.cos(((latitude + to.latitude) / 2) * RADIANS);
  return Math.hypot(north, east) * EARTH_RADIUS_METRES;
}
