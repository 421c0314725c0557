/**
 * Makes the footpaths of a snapshot. They are the published ones, and those from each stop to the nearest stop of every
 * journey pattern within reach. See `planner/package.md`, "Which footpaths a snapshot has". Only stops that a
 * searchable journey calls at have any, and flexible areas have none.
 */
import { boxAround } from '../geo/box-around.ts';
import { greatCircleMetres, WALK_FACTOR } from '../geo/great-circle.ts';
import { PointGrid } from '../geo/point-grid.ts';
import { GrowingInt32 } from '../model/growing-array.ts';
import type { BoardablePatterns } from './boardable-patterns.ts';
import type { PublishedTransfers } from './published-transfers.ts';

/** 30 minutes at 1.33 m/s along beeline × 1.3. */
export const DEFAULT_FOOTPATH_METRES = 1900;

/**
 * Limit for the patterns examined from one stop, nearest first; a pattern counts once for each stop that has it. A
 * dense city has some two thousand. Implausibly dense data loses the footpaths farther away, so that the build ends.
 */
const MOST_LOOKED_AT = 100_000;

/** More metres than any footpath has. The sort's keys stay whole numbers. */
const MOST_METRES = 1_000_000;

export interface Footpaths {
  readonly transfersStart: Int32Array;
  readonly transferTo: Int32Array;
  readonly transferMetres: Int32Array;
  readonly transferMinimumSeconds: Int32Array;
  readonly transferWheelchairSeconds: Int32Array;
  readonly stopMinimumSeconds: Int32Array;
  readonly stopWheelchairSeconds: Int32Array;
}

export interface FootpathInput {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly boardable: BoardablePatterns;
  readonly reachMetres: number;
  readonly published: PublishedTransfers;
}

export function layFootpaths(input: FootpathInput): Footpaths {
  const { published, boardable } = input;
  const stopCount = input.latitudes.length;
  const grid = PointGrid.of(input.latitudes, input.longitudes);
  const useful = new UsefulStops(boardable);
  const transfersStart = new Int32Array(stopCount + 1);
  const [to, metres] = [new GrowingInt32(), new GrowingInt32()];
  const [seconds, wheelchairSeconds] = [new GrowingInt32(), new GrowingInt32()];
  for (let stop = 0; stop < stopCount; stop++) {
    if (boardable.isUsed[stop] === 1) {
      useful.startFrom(stop);
      for (const key of sortedPaths(input, stop, grid)) {
        const target = key % stopCount;
        if (!published.has(stop, target) && (useful.isTired || !useful.take(target))) continue;
        to.push(target);
        metres.push((key - target) / stopCount);
        seconds.push(published.secondsBetween(stop, target));
        wheelchairSeconds.push(published.wheelchairSecondsBetween(stop, target));
      }
    }
    transfersStart[stop + 1] = to.length;
  }
  return {
    transfersStart,
    transferTo: to.view().slice(),
    transferMetres: metres.view().slice(),
    transferMinimumSeconds: seconds.view().slice(),
    transferWheelchairSeconds: wheelchairSeconds.view().slice(),
    stopMinimumSeconds: Int32Array.from({ length: stopCount }, (_, stop) => published.secondsBetween(stop, stop)),
    stopWheelchairSeconds: Int32Array.from({ length: stopCount }, (_, stop) =>
      published.wheelchairSecondsBetween(stop, stop),
    ),
  };
}

/** Tells whether a stop has a pattern to board that no nearer stop has. The caller must pass stops nearest first. */
class UsefulStops {
  readonly #boardable: BoardablePatterns;
  /** By pattern: the last stop, counted from 1, whose footpaths reach the pattern. */
  readonly #reachedFrom: Int32Array;
  #from = 0;
  #lookedAt = 0;

  constructor(boardable: BoardablePatterns) {
    this.#boardable = boardable;
    this.#reachedFrom = new Int32Array(boardable.patternCount);
  }

  startFrom(stop: number): void {
    this.#from = stop + 1;
    this.#lookedAt = 0;
    this.take(stop);
  }

  get isTired(): boolean {
    return this.#lookedAt > MOST_LOOKED_AT;
  }

  take(stop: number): boolean {
    const { start, patterns } = this.#boardable;
    let isUseful = false;
    const end = start[stop + 1] ?? 0;
    this.#lookedAt += end - (start[stop] ?? 0);
    for (let entry = start[stop] ?? 0; entry < end; entry++) {
      const pattern = patterns[entry] ?? 0;
      if (this.#reachedFrom[pattern] === this.#from) continue;
      this.#reachedFrom[pattern] = this.#from;
      isUseful = true;
    }
    return isUseful;
  }
}

/** Returns all stops within reach as `metres × stops + stop`, ascending: nearest first, then by stop. */
function sortedPaths(input: FootpathInput, stop: number, grid: PointGrid): Float64Array {
  const { latitudes, longitudes, published, reachMetres } = input;
  const { isUsed } = input.boardable;
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
