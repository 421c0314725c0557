/**
 * The path along a journey pattern, in the form that clients draw: an encoded polyline with five decimals. Called by
 * patterns, journeys and ride legs.
 */
import type { JourneyPattern } from '../../../planner/model/entities.ts';
import type { Fields, TypeResolvers } from './fields.ts';

export interface PointsOnLink {
  readonly points: string;
  /** Number of positions. */
  readonly length: number;
  readonly distanceMetres: number;
}

const SCALE = 1e5;

/** From one position of the pattern to a later one. */
export function pathBetween(pattern: JourneyPattern, from: number, to: number): PointsOnLink {
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  let distanceMetres = 0;
  for (let position = from; position < to; position += 1) {
    const hop = pattern.hop(position);
    distanceMetres += hop.distanceMetres;
    // A hop begins where the previous one ended, so skip its first point.
    for (let at = position === from ? 0 : 1; at < hop.latitudes.length; at += 1) {
      latitudes.push(hop.latitudes[at] ?? 0);
      longitudes.push(hop.longitudes[at] ?? 0);
    }
  }
  return { points: encode(latitudes, longitudes), length: latitudes.length, distanceMetres };
}

export function pathOf(pattern: JourneyPattern): PointsOnLink {
  return pathBetween(pattern, 0, pattern.stops.length - 1);
}

/** Returns the straight line through positions, for legs that follow no pattern. */
export function pathThrough(
  latitudes: readonly number[],
  longitudes: readonly number[],
  distanceMetres: number,
): PointsOnLink {
  return { points: encode(latitudes, longitudes), length: latitudes.length, distanceMetres };
}

function encode(latitudes: readonly number[], longitudes: readonly number[]): string {
  let text = '';
  let latitude = 0;
  let longitude = 0;
  for (let at = 0; at < latitudes.length; at += 1) {
    const nextLatitude = Math.round((latitudes[at] ?? 0) * SCALE);
    const nextLongitude = Math.round((longitudes[at] ?? 0) * SCALE);
    text += encodeNumber(nextLatitude - latitude) + encodeNumber(nextLongitude - longitude);
    latitude = nextLatitude;
    longitude = nextLongitude;
  }
  return text;
}

/** Five bits at a time, lowest first, the sign in the last bit. */
function encodeNumber(number: number): string {
  let rest = number < 0 ? ~(number << 1) : number << 1;
  let text = '';
  while (rest >= 0x20) {
    text += String.fromCharCode((0x20 | (rest & 0x1f)) + 63);
    rest >>= 5;
  }
  return text + String.fromCharCode(rest + 63);
}

const fields: Fields<PointsOnLink> = {
  distance: ({ distanceMetres }) => Math.round(distanceMetres),
  length: ({ length }) => length,
  points: ({ points }) => points,
};

export const pointsOnLink: TypeResolvers = { fields };
