/**
 * Finds the points around a position by cells of a hundredth of a degree. A hash table holds the cells, with as many
 * buckets as points.
 */
import { METRES_PER_DEGREE } from '../../../planner/geo/great-circle.ts';
import type { TimeSlicer } from './time-slicer.ts';

const CELLS_PER_DEGREE = 100;
const MAX_CELLS = 400;

export class PlaceCells {
  readonly #positions: Float64Array;
  readonly #bucketCount: number;
  readonly #start: Uint32Array;
  readonly #points: Uint32Array;

  private constructor(positions: Float64Array) {
    this.#positions = positions;
    this.#bucketCount = Math.max(1, positions.length >>> 1);
    this.#start = new Uint32Array(this.#bucketCount + 1);
    this.#points = new Uint32Array(positions.length >>> 1);
  }

  /** Pairs of latitude and longitude. */
  static async build(positions: Float64Array, slicer: TimeSlicer): Promise<PlaceCells> {
    const cells = new PlaceCells(positions);
    const start = cells.#start;
    for (let point = 0; point < cells.#points.length; point++) {
      const bucket = cells.#bucketOf(point) + 1;
      start[bucket] = (start[bucket] as number) + 1;
      if (point % 4096 === 0 && slicer.isOver) await slicer.rest();
    }
    for (let bucket = 0; bucket < cells.#bucketCount; bucket++) {
      start[bucket + 1] = (start[bucket + 1] as number) + (start[bucket] as number);
    }
    const next = start.slice();
    for (let point = 0; point < cells.#points.length; point++) {
      const bucket = cells.#bucketOf(point);
      const at = next[bucket] as number;
      next[bucket] = at + 1;
      cells.#points[at] = point;
      if (point % 4096 === 0 && slicer.isOver) await slicer.rest();
    }
    return cells;
  }

  /** Visits points of all cells that the circle touches. Some are farther away than the radius. */
  around(latitude: number, longitude: number, radiusMetres: number): number[] {
    const high = radiusMetres / METRES_PER_DEGREE;
    const wide = high / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
    const [south, north] = [cellOf(latitude - high), cellOf(latitude + high)];
    const [west, east] = [cellOf(longitude - wide), cellOf(longitude + wide)];
    const found = new Set<number>();
    if ((north - south + 1) * (east - west + 1) > MAX_CELLS) return [];
    for (let row = south; row <= north; row++) {
      for (let column = west; column <= east; column++) {
        const bucket = this.#bucket(row, column);
        const end = this.#start[bucket + 1] as number;
        for (let at = this.#start[bucket] as number; at < end; at++) found.add(this.#points[at] as number);
      }
    }
    return [...found];
  }

  #bucketOf(point: number): number {
    return this.#bucket(cellOf(this.#positions[2 * point] as number), cellOf(this.#positions[2 * point + 1] as number));
  }

  #bucket(row: number, column: number): number {
    return ((Math.imul(row, 73_856_093) ^ Math.imul(column, 19_349_663)) >>> 0) % this.#bucketCount;
  }
}

function cellOf(degrees: number): number {
  return Math.floor(degrees * CELLS_PER_DEGREE);
}
