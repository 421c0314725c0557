/** A growing table of integers: rows of one width, sorted by their first column once complete. */
import { growingInt32 } from '../packed/growing-array.ts';

export class RowList {
  readonly width: number;
  readonly #words = growingInt32();

  constructor(width: number) {
    this.width = width;
  }

  get size(): number {
    return this.#words.length / this.width;
  }

  add(row: readonly number[]): void {
    this.#words.append(row);
  }

  /** Sorts by the first column; rows with equal values keep their order of insertion. */
  sorted(): Int32Array {
    const { width, size } = this;
    const words = this.#words.values();
    if (isSorted(words, width)) return words;
    const order = new Uint32Array(size);
    for (let row = 0; row < size; row++) order[row] = row;
    order.sort((a, b) => (words[a * width] as number) - (words[b * width] as number) || a - b);
    const sorted = new Int32Array(size * width);
    for (let row = 0; row < size; row++) {
      const from = (order[row] as number) * width;
      sorted.set(words.subarray(from, from + width), row * width);
    }
    return sorted;
  }
}

/** Rows are mostly sorted: names are numbered by first occurrence. */
function isSorted(words: Int32Array, width: number): boolean {
  for (let at = width; at < words.length; at += width) {
    if ((words[at] as number) < (words[at - width] as number)) return false;
  }
  return true;
}
