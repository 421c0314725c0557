/**
 * Municipalities of the demo region, which are also its fare zones: the town as a disc, and three rings of four
 * quarters. Callers: the stop places (the zone of a point) and the stop register (outlines and names).
 */
import { bearingOf, move, type Point, toPosition } from './geometry.ts';
import type { Zone } from './model.ts';
import type { Names } from './names.ts';
import { at } from './random.ts';

const RINGS_KM = [8, 28, 60, 150];
const TOWN: Point = { east: 0, north: 0 };

export interface Zones {
  readonly all: readonly Zone[];
  zoneOf(point: Point): Zone;
}

export function createZones(townName: string, names: Names): Zones {
  const town = zone(1, townName, arc(RINGS_KM[0] as number, 0, 360), TOWN);
  const outer: Zone[] = [];
  for (let ring = 1; ring < RINGS_KM.length; ring++) {
    for (let quarter = 0; quarter < 4; quarter++) {
      const [inside, outside] = [at(RINGS_KM, ring - 1), at(RINGS_KM, ring)];
      const [left, right] = [quarter * 90 - 45, quarter * 90 + 45];
      const outline = [...arc(inside, left, right), ...arc(outside, left, right).reverse()];
      const centre = move(TOWN, quarter * 90, (inside + outside) / 2);
      outer.push(zone(ring * 4 + quarter - 2, names.place(), outline, centre));
    }
  }
  return {
    all: [town, ...outer],
    zoneOf: (point) => {
      const distance = Math.hypot(point.east, point.north);
      const ring = RINGS_KM.findIndex((outside) => distance < outside);
      if (ring === 0) return town;
      if (ring < 0) throw new Error(`A demo stop lies ${distance.toFixed(0)} km out, outside every zone`);
      const quarter = Math.floor(((bearingOf(TOWN, point) + 45) % 360) / 90);
      return at(outer, (ring - 1) * 4 + quarter);
    },
  };
}

function arc(radius: number, from: number, to: number): Point[] {
  const steps = Math.max(6, Math.round((to - from) / 10));
  return Array.from({ length: steps + 1 }, (_, index) => move(TOWN, from + ((to - from) * index) / steps, radius));
}

function zone(number: number, name: string, outline: readonly Point[], centre: Point): Zone {
  const positions = outline.map(toPosition);
  return { number, name, outline: [...positions, at(positions, 0)], centre: toPosition(centre) };
}
