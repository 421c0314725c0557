/**
 * The builder's polylines. Each is stored once, however many patterns share it, in the form that catalogue/polylines.ts
 * reads.
 */
import { DEGREE_UNITS } from '../catalogue/polylines.ts';
import { BytePool } from './byte-pool.ts';

const MOST_BYTES_PER_NUMBER = 5;

export class PolylinePool extends BytePool {
  #scratch = new Uint8Array(4096);

  /** `degrees` alternates latitude and longitude. Returns 0 for undefined or an empty list. */
  numberOf(degrees: readonly number[] | undefined): number {
    if (degrees === undefined || degrees.length < 2) return 0;
    if (this.#scratch.length < degrees.length * MOST_BYTES_PER_NUMBER) {
      this.#scratch = new Uint8Array(degrees.length * MOST_BYTES_PER_NUMBER * 2);
    }
    let length = 0;
    for (let index = 0; index < degrees.length; index++) {
      const before = index < 2 ? 0 : unitsOf(degrees[index - 2] ?? 0);
      length = this.#putNumber(length, unitsOf(degrees[index] ?? 0) - before);
    }
    return this.numberOfWritten(this.bytes.writeBytes(this.#scratch.subarray(0, length)));
  }

  /** Writes seven bits a byte, lowest bits first, with the sign in the lowest bit. */
  #putNumber(at: number, value: number): number {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    let place = at;
    while (rest > 0x7f) {
      this.#scratch[place++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#scratch[place++] = rest;
    return place;
  }
}

function unitsOf(degrees: number): number {
  return Math.round(degrees * DEGREE_UNITS);
}
