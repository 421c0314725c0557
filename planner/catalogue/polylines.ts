/**
 * Decodes polylines on demand. Latitude and longitude are in ten-millionths of a degree (about a centimetre). Each
 * position is stored as the difference from the one before, in as few bytes as possible.
 */
import type { Sections } from '../snapshot/sections.ts';

export const DEGREE_UNITS = 1e7;

export interface Polyline {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}

export class Polylines {
  readonly #start: Uint32Array;
  readonly #bytes: Uint8Array;

  constructor(sections: Sections) {
    this.#start = sections.uint32('polylines.start');
    this.#bytes = sections.uint8('polylines.bytes');
  }

  /** `number` must not be 0, which means none. */
  at(number: number): Polyline {
    const units: [number[], number[]] = [[], []];
    const end = this.#start[number + 1] ?? 0;
    const last = [0, 0];
    let axis = 0;
    for (let at = this.#start[number] ?? 0; at < end; ) {
      let value = 0;
      let weight = 1;
      let byte = 0;
      do {
        byte = this.#bytes[at++] ?? 0;
        value += (byte & 0x7f) * weight;
        weight *= 0x80;
      } while (byte > 0x7f);
      last[axis] = (last[axis] ?? 0) + (value % 2 === 1 ? -(value + 1) / 2 : value / 2);
      units[axis === 0 ? 0 : 1].push((last[axis] ?? 0) / DEGREE_UNITS);
      axis = 1 - axis;
    }
    return { latitudes: Float64Array.from(units[0]), longitudes: Float64Array.from(units[1]) };
  }
}
