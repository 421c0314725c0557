/**
 * Chains of street stops: a walk that keeps its direction roughly, as a road does.
 * Callers: the modules that draw lines.
 */
import { move, type Point } from './geometry.ts';
import type { Halt } from './model.ts';
import type { Random } from './random.ts';
import type { StopPlaces } from './stop-places.ts';

export interface StreetStopsPlan {
  readonly from: Point;
  readonly bearing: number;
  readonly stops: number;
  readonly shortestKm: number;
  readonly longestKm: number;
  /** How far each piece may turn from the general direction, in degrees. */
  readonly wobble: number;
  readonly name: (index: number) => string;
}

export interface StreetStops {
  readonly halts: readonly Halt[];
  readonly points: readonly Point[];
}

export function drawStreetStops(plan: StreetStopsPlan, places: StopPlaces, random: Random): StreetStops {
  const halts: Halt[] = [];
  const points: Point[] = [];
  let point = plan.from;
  for (let index = 0; index < plan.stops; index++) {
    const bearing = plan.bearing + random.between(-plan.wobble, plan.wobble);
    point = move(point, bearing, random.between(plan.shortestKm, plan.longestKm));
    points.push(point);
    halts.push(places.addStreetStop(plan.name(index), point, (plan.bearing + 360) % 360, random));
  }
  return { halts, points };
}
