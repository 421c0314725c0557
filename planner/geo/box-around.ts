/**
 * Returns the box that holds every point within a distance. The box spans all longitudes where the distance reaches a
 * pole.
 */
import type { Box } from './geo-types.ts';
import { METRES_PER_DEGREE } from './great-circle.ts';

export function boxAround(latitude: number, longitude: number, radiusMetres: number): Box {
  const height = (radiusMetres / METRES_PER_DEGREE) * (1 + 1e-9);
  const [south, north] = [latitude - height, latitude + height];
  // A circle on the sphere is widest nearer to the pole than its middle. This quotient is the sine of half its width.
  const quotient = Math.sin((height * Math.PI) / 180) / Math.cos((latitude * Math.PI) / 180);
  const isWhole = south <= -90 || north >= 90 || height >= 90 || !(quotient < 1);
  const width = isWhole ? 180 : (Math.asin(quotient) * 180 * (1 + 1e-9)) / Math.PI;
  return {
    minimumLatitude: Math.max(-90, south),
    maximumLatitude: Math.min(90, north),
    minimumLongitude: isWhole ? -180 : longitude - width,
    maximumLongitude: isWhole ? 180 : longitude + width,
  };
}
