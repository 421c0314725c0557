/**
 * Positions of stops to six decimals, as they are written. A platform without a position takes its station's.
 * Callers: everything that measures; the stops as written.
 */
import type { ChangeLog } from '../feed/change-log.ts';
import { PLATFORM, type Stop } from '../feed/feed.ts';

/** By index of the stop; NaN when unknown. */
export interface StopPositions {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

export function placeStops(stops: readonly Stop[], changes: ChangeLog): StopPositions {
  const numbers = new Map(stops.map(({ id }, index) => [id, index]));
  const latitude = Float64Array.from(stops, (stop) => toSixDecimals(stop.latitude));
  const longitude = Float64Array.from(stops, (stop) => toSixDecimals(stop.longitude));
  stops.forEach(({ id, kind, parentId }, number) => {
    if (!Number.isNaN(latitude[number])) return;
    const parent = numbers.get(parentId ?? '');
    if (parent !== undefined) {
      latitude[number] = latitude[parent] as number;
      longitude[number] = longitude[parent] as number;
    }
    if (kind !== PLATFORM) return;
    const isKnown = !Number.isNaN(latitude[number]);
    changes.note(
      isKnown ? 'stops without a position, put at their station' : 'stops without a position: no journey calls there',
      id,
    );
  });
  return { latitude, longitude };
}

export function toSixDecimals(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
