/**
 * Points in cells of a hundredth of a degree. Cells are in order of row and column, so the cells of one row that a box
 * covers are one run of points. The builder writes the grid, and readers use the snapshot's memory. Callers must test
 * each point of the runs themselves.
 */
import type { SectionWriter } from '../snapshot/section-writer.ts';
import type { Sections } from '../snapshot/sections.ts';
import type { Box } from './geo-types.ts';

const CELLS_PER_DEGREE = 100;
const COLUMNS = 360 * CELLS_PER_DEGREE + 1;

export class PointGrid {
  readonly #cells: Int32Array;
  readonly #starts: Int32Array;
  readonly #points: Int32Array;

  constructor(cells: Int32Array, starts: Int32Array, points: Int32Array) {
    this.#cells = cells;
    this.#starts = starts;
    this.#points = points;
  }

  static of(latitudes: Float64Array, longitudes: Float64Array): PointGrid {
    const count = latitudes.length;
    const keys = new Float64Array(count);
    for (let point = 0; point < count; point++) {
      keys[point] = cellOf(latitudes[point] ?? 0, longitudes[point] ?? 0) * count + point;
    }
    keys.sort();
    const cells: number[] = [];
    const starts: number[] = [];
    const points = new Int32Array(count);
    for (let entry = 0; entry < count; entry++) {
      const cell = Math.floor((keys[entry] ?? 0) / count);
      points[entry] = (keys[entry] ?? 0) - cell * count;
      if (cell === cells.at(-1)) continue;
      cells.push(cell);
      starts.push(entry);
    }
    return new PointGrid(Int32Array.from(cells), Int32Array.from([...starts, count]), points);
  }

  static open(sections: Sections, name: string): PointGrid {
    return new PointGrid(
      sections.int32(`${name}.cells`),
      sections.int32(`${name}.starts`),
      sections.int32(`${name}.points`),
    );
  }

  write(sections: SectionWriter, name: string): void {
    sections.add(`${name}.cells`, this.#cells);
    sections.add(`${name}.starts`, this.#starts);
    sections.add(`${name}.points`, this.#points);
  }

  /** Calls `visit` for every point in the box, and for some points around it. A box may cross the 180th meridian. */
  visit(box: Box, visit: (point: number) => void): void {
    const { minimumLatitude, maximumLatitude, minimumLongitude: west, maximumLongitude: east } = box;
    const visitColumns = (from: number, to: number): void =>
      this.#visit(minimumLatitude, maximumLatitude, from, to, visit);
    if (east - west >= 360) visitColumns(-180, 180);
    else if (west < -180) {
      visitColumns(west + 360, 180);
      visitColumns(-180, east);
    } else if (east > 180) {
      visitColumns(west, 180);
      visitColumns(-180, east - 360);
    } else visitColumns(west, east);
  }

  #visit(south: number, north: number, west: number, east: number, visit: (point: number) => void): void {
    const cells = this.#cells;
    if (cells.length === 0 || !(south <= north) || !(west <= east)) return;
    const lastRow = Math.min(rowOf(north), Math.floor((cells[cells.length - 1] ?? 0) / COLUMNS));
    for (let row = Math.max(rowOf(south), Math.floor((cells[0] ?? 0) / COLUMNS)); row <= lastRow; row++) {
      const begin = this.#firstFrom(row * COLUMNS + columnOf(west));
      const end = this.#firstFrom(row * COLUMNS + columnOf(east) + 1);
      const last = this.#starts[end] ?? 0;
      for (let entry = this.#starts[begin] ?? 0; entry < last; entry++) visit(this.#points[entry] ?? 0);
    }
  }

  #firstFrom(cell: number): number {
    let low = 0;
    let high = this.#cells.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cells[middle] ?? 0) < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function cellOf(latitude: number, longitude: number): number {
  return rowOf(latitude) * COLUMNS + columnOf(longitude);
}

function rowOf(latitude: number): number {
  return Math.floor((Math.max(-90, Math.min(90, latitude)) + 90) * CELLS_PER_DEGREE);
}

function columnOf(longitude: number): number {
  return Math.floor((Math.max(-180, Math.min(180, longitude)) + 180) * CELLS_PER_DEGREE);
}
