/**
 * Draws the roads that continue from the end of each spoke through the villages of the region. Callers: the modules
 * that plan lines outside the town.
 */

import type { Point } from './geometry.ts';
import type { Halt, LineSpec } from './model.ts';
import { at } from './random.ts';
import { drawStreetStops } from './street-stops.ts';
import type { TownMap } from './town-lines.ts';

export const REGION_OPERATOR = 'Fjordtrafikk';

export interface Road {
  readonly bearing: number;
  readonly halts: readonly Halt[];
  readonly points: readonly Point[];
}

export function drawRoads(map: TownMap): Road[] {
  return map.spokes.map((spoke) => drawRoad(map, at(spoke.points, -1), spoke.bearing));
}

/** Draws some 40 km of road from the end of a spoke through villages. */
function drawRoad(map: TownMap, from: Point, bearing: number): Road {
  const name = (index: number): string => (index % 4 === 3 ? `${map.names.place()} kryss` : map.names.place());
  const plan = { from, bearing, stops: 36, shortestKm: 0.75, longestKm: 1.5, wobble: 10, name };
  return { bearing, ...drawStreetStops(plan, map.places, map.random) };
}

export function line(
  number: number,
  publicCode: string,
  name: string,
  halts: readonly Halt[],
  rest: Omit<LineSpec, 'number' | 'publicCode' | 'name' | 'halts'>,
): LineSpec {
  return { number, publicCode, name, halts, ...rest };
}
