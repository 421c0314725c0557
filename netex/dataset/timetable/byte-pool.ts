/**
 * Stores short sequences of numbers once each: the stops of a pattern, the times of a journey relative to its start,
 * a set of days. A sequence that a file repeats a thousand times is stored once; its users keep its offset.
 *
 * Callers: the builder of timetable extracts; `PoolReader` reads the result. Numbers are unsigned, seven bits a byte.
 */
import { growingUint32 } from '../../packed/growing-array.ts';
import { HashSet } from '../hash-set.ts';

export class BytePool {
  #bytes = new Uint8Array(1024);
  #size = 0;
  #start = 0;
  readonly #known = new HashSet();
  readonly #places = growingUint32();

  begin(): void {
    this.#start = this.#size;
  }

  /** Below 2^31. */
  add(number: number): void {
    if (this.#size + 5 > this.#bytes.length) this.#grow();
    let rest = number;
    while (rest > 0x7f) {
      this.#bytes[this.#size++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#size++] = rest;
  }

  /** Returns the sequence's offset. A sequence that exists already is not stored again. */
  end(): number {
    let low = 0x9e3779b9;
    let high = 0x7f4a7c15;
    for (let at = this.#start; at < this.#size; at++) {
      const byte = this.#bytes[at] as number;
      low = Math.imul(low ^ byte, 0x85ebca6b);
      low ^= low >>> 15;
      high = Math.imul(high ^ byte, 0xc2b2ae35);
      high ^= high >>> 13;
    }
    const number = this.#known.find(high >>> 0, low >>> 0);
    if (number >= 0) {
      this.#size = this.#start;
      return this.#places.get(number);
    }
    this.#known.add(high >>> 0, low >>> 0);
    this.#places.push(this.#start);
    return this.#start;
  }

  build(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads successive numbers from any offset. */
export class PoolReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    let number = 0;
    let shift = 0;
    for (;;) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) throw new RangeError('The timetable extract is cut short');
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
      shift += 7;
    }
  }
}

/** Maps small numbers of either sign to small unsigned ones; absolute values below 2^30. */
export function zigzag(number: number): number {
  return number >= 0 ? number * 2 : -number * 2 - 1;
}

export function unzigzag(number: number): number {
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}
