/**
 * The flat map of the demo region (kilometres east and north of the town's centre) and its position on the globe. It is
 * exact enough for a region of 300 km, not for surveying. Callers: the modules of dev/demo.
 */
import { hashText } from './random.ts';

export interface Point {
  readonly east: number;
  readonly north: number;
}

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Off the coast of Trøndelag, where no town exists. */
const CENTRE: Position = { latitude: 64.72, longitude: 11.05 };
const KM_PER_DEGREE = 111.32;
const EARTH_RADIUS_METRES = 6_371_000;

export function toPosition(point: Point): Position {
  const shrink = Math.cos((CENTRE.latitude * Math.PI) / 180);
  return {
    latitude: round(CENTRE.latitude + point.north / KM_PER_DEGREE, 6),
    longitude: round(CENTRE.longitude + point.east / (KM_PER_DEGREE * shrink), 6),
  };
}

/** Moves in a compass direction: 0 is north, 90 east. */
export function move(from: Point, bearing: number, kilometres: number): Point {
  const angle = (bearing * Math.PI) / 180;
  return { east: from.east + Math.sin(angle) * kilometres, north: from.north + Math.cos(angle) * kilometres };
}

export function bearingOf(from: Point, to: Point): number {
  return ((Math.atan2(to.east - from.east, to.north - from.north) * 180) / Math.PI + 360) % 360;
}

export function distanceMetres(a: Position, b: Position): number {
  const radians = Math.PI / 180;
  const sinLatitude = Math.sin(((b.latitude - a.latitude) * radians) / 2);
  const sinLongitude = Math.sin(((b.longitude - a.longitude) * radians) / 2);
  const haversine =
    sinLatitude ** 2 + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * sinLongitude ** 2;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.sqrt(haversine));
}

/** Returns a road-like curve that begins and ends exactly at the two positions. `seed` determines its bend. */
export function curve(from: Position, to: Position, seed: string): Position[] {
  const pieces = Math.min(12, Math.max(2, Math.round(distanceMetres(from, to) / 250)));
  const bend = ((hashText(seed) % 1000) / 1000 - 0.5) * 0.12;
  const across = { latitude: -(to.longitude - from.longitude) / 2.34, longitude: (to.latitude - from.latitude) * 2.34 };
  return Array.from({ length: pieces + 1 }, (_, index) => {
    if (index === 0) return from;
    if (index === pieces) return to;
    const share = index / pieces;
    const swing = Math.sin(share * Math.PI) * bend;
    return {
      latitude: round(from.latitude + (to.latitude - from.latitude) * share + across.latitude * swing, 6),
      longitude: round(from.longitude + (to.longitude - from.longitude) * share + across.longitude * swing, 6),
    };
  });
}

export function lengthMetres(line: readonly Position[]): number {
  let metres = 0;
  line.forEach((position, index) => {
    const before = line[index - 1];
    if (before) metres += distanceMetres(before, position);
  });
  return round(metres, 1);
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
