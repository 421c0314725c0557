/**
 * Finds the stops where a search begins or ends: those of the place itself, and others within walking distance (great
 * circle × 1.3). With `maximumSeconds` 0 only the stops of the place remain. Comparisons with planners that board
 * nowhere else use that.
 */
import { greatCircleMetres, WALK_FACTOR, walkMetres } from '../geo/great-circle.ts';
import type { StopIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import type { StopAccess } from '../search/search-types.ts';
import type { KnownLocation } from './resolve-location.ts';

export interface WalkedStop extends StopAccess {
  readonly metres: number;
}

export interface WalkRules {
  /** Metres per second. */
  readonly walkSpeed: number;
  readonly maximumSeconds: number;
  /** 0: may not be used. Undefined: all may. */
  readonly stopMask: Uint8Array | undefined;
}

/** Returns each stop once, nearest first. */
export function stopsWithinReach(
  { geo, transit }: Timetable,
  { stops, end }: KnownLocation,
  { walkSpeed, maximumSeconds, stopMask }: WalkRules,
): WalkedStop[] {
  const own = new Set(stops);
  const found: WalkedStop[] = [];
  const mayUse = (stop: StopIndex): boolean => stopMask?.[stop] !== 0;
  for (const stop of own) if (mayUse(stop)) found.push({ stop, walkSeconds: 0, metres: 0 });
  if (maximumSeconds <= 0) return found;

  const { stopLatitude: latitudes, stopLongitude: longitudes } = transit;
  const corners = stops.map((stop) => [latitudes[stop] ?? 0, longitudes[stop] ?? 0] as const);
  const origins = corners.length > 0 ? corners : [[end.latitude, end.longitude] as const];
  // Walks from a stop place begin at the nearest of its quays, so widen the circle around its middle to hold them.
  const widest = Math.max(...origins.map((at) => greatCircleMetres(end.latitude, end.longitude, at[0], at[1])));
  const radius = (maximumSeconds * walkSpeed) / WALK_FACTOR + widest + 1;
  for (const { index: stop } of geo.quaysNear(end.latitude, end.longitude, radius)) {
    if (own.has(stop) || !mayUse(stop)) continue;
    const [latitude = 0, longitude = 0] = [latitudes[stop], longitudes[stop]];
    let metres = Number.POSITIVE_INFINITY;
    for (const at of origins) metres = Math.min(metres, walkMetres(at[0], at[1], latitude, longitude));
    const walkSeconds = Math.ceil(metres / walkSpeed);
    if (walkSeconds <= maximumSeconds) found.push({ stop, walkSeconds, metres });
  }
  return found.sort((a, b) => a.walkSeconds - b.walkSeconds || a.stop - b.stop);
}
