/**
 * A list of numbers for each element, all lists in one array: element n's begins at `starts[n]`.
 * Callers: the stop register, for quays of a place, zones of a stop and the like.
 */
import { growingUint32 } from './growing-array.ts';

/** Rows (element, value) in any order; the values of an element keep the order they were added in. */
export class ListTableBuilder {
  readonly #elements = growingUint32();
  readonly #values = growingUint32();

  add(element: number, value: number): void {
    this.#elements.push(element);
    this.#values.push(value);
  }

  forEach(visit: (element: number, value: number) => void): void {
    const values = this.#values.values();
    const elements = this.#elements.values();
    for (let row = 0; row < elements.length; row++) visit(elements[row] as number, values[row] as number);
  }

  /** `numberOf` says under which number an element's row goes; negative: nowhere. */
  build(count: number, numberOf: (element: number) => number = (element) => element): [Uint32Array, Uint32Array] {
    const elements = this.#elements.values();
    const values = this.#values.values();
    const starts = new Uint32Array(count + 1);
    let kept = 0;
    for (const element of elements) {
      const number = numberOf(element);
      if (number < 0) continue;
      starts[number + 1] = (starts[number + 1] as number) + 1;
      kept++;
    }
    for (let number = 0; number < count; number++) {
      starts[number + 1] = (starts[number + 1] as number) + (starts[number] as number);
    }
    const next = starts.slice();
    const lists = new Uint32Array(kept);
    elements.forEach((element, row) => {
      const number = numberOf(element);
      if (number < 0) return;
      const at = next[number] as number;
      lists[at] = values[row] as number;
      next[number] = at + 1;
    });
    return [starts, lists];
  }
}

export class ListTable {
  readonly #starts: Uint32Array;
  readonly #values: Uint32Array;

  constructor(starts: Uint32Array, values: Uint32Array) {
    this.#starts = starts;
    this.#values = values;
  }

  of(element: number): Uint32Array {
    return this.#values.subarray(this.#starts[element], this.#starts[element + 1]);
  }
}
