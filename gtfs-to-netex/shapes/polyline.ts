/** A shape in metres around its first point. A plane is exact enough for a town. Callers: cutting and simplifying. */
import { distanceMetres } from '../../netex/geo/distance.ts';

const METRES_PER_DEGREE = 111_195;

export interface Polyline {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** Metres east and north of the first point. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Metres along the shape, by point. */
  readonly along: Float64Array;
  /** Distances that the feed gives for the points; NaN when absent. */
  readonly travelled: Float64Array;
}

export function makePolyline(latitude: Float64Array, longitude: Float64Array, travelled: Float64Array): Polyline {
  const scale = Math.cos(((latitude[0] ?? 0) * Math.PI) / 180);
  const x = longitude.map((degrees) => (degrees - (longitude[0] ?? 0)) * METRES_PER_DEGREE * scale);
  const y = latitude.map((degrees) => (degrees - (latitude[0] ?? 0)) * METRES_PER_DEGREE);
  const along = new Float64Array(latitude.length);
  for (let point = 1; point < along.length; point++) {
    const [lat, lon] = [latitude[point] as number, longitude[point] as number];
    const hop = distanceMetres(latitude[point - 1] as number, longitude[point - 1] as number, lat, lon);
    along[point] = (along[point - 1] as number) + hop;
  }
  return { latitude, longitude, x, y, along, travelled };
}

/** Converts a position to the polyline's own metres. */
export function placeOf({ latitude, longitude }: Polyline, lat: number, lon: number): { x: number; y: number } {
  const scale = Math.cos(((latitude[0] ?? 0) * Math.PI) / 180);
  return {
    x: (lon - (longitude[0] ?? 0)) * METRES_PER_DEGREE * scale,
    y: (lat - (latitude[0] ?? 0)) * METRES_PER_DEGREE,
  };
}

/** Latitude and longitude at a place of the polyline: a segment and the fraction along it, 0 to 1. */
export function positionAt({ latitude, longitude }: Polyline, place: number): readonly [number, number] {
  const segment = Math.min(Math.floor(place), latitude.length - 2);
  const part = place - segment;
  const between = (values: Float64Array): number =>
    (values[segment] as number) + ((values[segment + 1] as number) - (values[segment] as number)) * part;
  return [between(latitude), between(longitude)];
}

/** Drops the feed's distances, which count from the other end. */
export function reversePolyline({ latitude, longitude, travelled }: Polyline): Polyline {
  return makePolyline(
    latitude.toReversed(),
    longitude.toReversed(),
    new Float64Array(travelled.length).fill(Number.NaN),
  );
}
