/** A growing table of integers: rows of one width, sorted by their first column when all are there. */
const FIRST_ROWS = 16;

export class RowList {
  readonly width: number;
  size = 0;
  #words: Int32Array;

  constructor(width: number) {
    this.width = width;
    this.#words = new Int32Array(width * FIRST_ROWS);
  }

  add(row: readonly number[]): void {
    const at = this.size++ * this.width;
    if (at === this.#words.length) {
      const larger = new Int32Array(at * 2);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words.set(row, at);
  }

  /** By the first column; rows that share it stay in the order of their arrival. */
  sorted(): Int32Array {
    const { width, size } = this;
    const words = this.#words;
    if (this.#isSorted()) return words.slice(0, size * width);
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

  /** As rows mostly come: names are numbered in the order of their first occurrence. */
  #isSorted(): boolean {
    const { width } = this;
    const end = this.size * width;
    for (let at = width; at < end; at += width) {
      if ((this.#words[at] as number) < (this.#words[at - width] as number)) return false;
    }
    return true;
  }
}
