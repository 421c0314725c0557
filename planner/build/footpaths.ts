/**
 * The footpaths of a snapshot: every pair of stops within reach of the straight line, joined with the transfers that were
 * published. Only stops that a searchable journey calls at, and no flexible area, have any.
 */
import { boxAround } from '../geo/box-around.ts';
import { greatCircleMetres, WALK_FACTOR } from '../geo/great-circle.ts';
import { PointGrid } from '../geo/point-grid.ts';
import { GrowingInt32 } from './growing-array.ts';
import type { PublishedTransfers } from './published-transfers.ts';

/** 30 minutes at 1.33 m/s along beeline × 1.3. */
export const DEFAULT_FOOTPATH_METRES = 1900;

/** More metres than any footpath has: keys of the sort stay whole numbers. */
const MOST_METRES = 1_000_000;

export interface Footpaths {
  readonly transfersStart: Int32Array;
  readonly transferTo: Int32Array;
  readonly transferMetres: Int32Array;
  readonly transferMinimumSeconds: Int32Array;
  readonly stopMinimumSeconds: Int32Array;
}

export interface FootpathStops {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** 1: has footpaths. */
  readonly isUsed: Uint8Array;
}

export function layFootpaths(stops: FootpathStops, reachMetres: number, published: PublishedTransfers): Footpaths {
  const stopCount = stops.latitudes.length;
  const grid = PointGrid.of(stops.latitudes, stops.longitudes);
  const transfersStart = new Int32Array(stopCount + 1);
  const [to, metres, seconds] = [new GrowingInt32(), new GrowingInt32(), new GrowingInt32()];
  for (let stop = 0; stop < stopCount; stop++) {
    if (stops.isUsed[stop] === 1) {
      for (const key of sortedPaths(stops, stop, reachMetres, grid, published)) {
        const target = key % stopCount;
        to.push(target);
        metres.push((key - target) / stopCount);
        seconds.push(published.secondsBetween(stop, target));
      }
    }
    transfersStart[stop + 1] = to.length;
  }
  return {
    transfersStart,
    transferTo: to.view().slice(),
    transferMetres: metres.view().slice(),
    transferMinimumSeconds: seconds.view().slice(),
    stopMinimumSeconds: Int32Array.from({ length: stopCount }, (_, stop) => published.secondsBetween(stop, stop)),
  };
}

/** Metres × stops + stop, ascending: nearest first, equally near by stop. */
function sortedPaths(
  stops: FootpathStops,
  stop: number,
  reachMetres: number,
  grid: PointGrid,
  published: PublishedTransfers,
): Float64Array {
  const { latitudes, longitudes, isUsed } = stops;
  const latitude = latitudes[stop] ?? 0;
  const longitude = longitudes[stop] ?? 0;
  const keys: number[] = [];
  grid.visit(boxAround(latitude, longitude, reachMetres), (other) => {
    if (other === stop || isUsed[other] !== 1 || published.metresBetween(stop, other) >= 0) return;
    const distance = greatCircleMetres(latitude, longitude, latitudes[other] ?? 0, longitudes[other] ?? 0);
    if (distance <= reachMetres) keys.push(Math.round(distance * WALK_FACTOR) * latitudes.length + other);
  });
  published.visitWithMetres(stop, (other, length) => {
    if (other !== stop && isUsed[other] === 1) keys.push(Math.min(length, MOST_METRES) * latitudes.length + other);
  });
  return Float64Array.from(keys).sort();
}
