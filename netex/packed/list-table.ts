/**
 * A list of numbers for each element, all lists in one array: the list of element n begins at `starts[n]`. Callers:
 * the stop register, for quays of a place, zones of a stop and the like; the filter, for references.
 */
import { growingUint32 } from './growing-array.ts';

/** Rows (element, value) in any order; an element's values keep the order of insertion. */
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

  /** `numberOf` maps an element to its number; negative values drop its rows. */
  build(count: number, numberOf: (element: number) => number = (element) => element): [Uint32Array, Uint32Array] {
    return groupNumbers(count, (visit) => {
      this.forEach((element, value) => {
        const number = numberOf(element);
        if (number >= 0) visit(number, value);
      });
    });
  }
}

/** Visits the pairs (element, value) twice and holds only the result: starts and values of a ListTable. */
export function groupNumbers(
  count: number,
  forEachPair: (visit: (element: number, value: number) => void) => void,
): [Uint32Array, Uint32Array] {
  const starts = new Uint32Array(count + 1);
  forEachPair((element) => {
    starts[element + 1] = (starts[element + 1] as number) + 1;
  });
  for (let element = 0; element < count; element++) {
    starts[element + 1] = (starts[element + 1] as number) + (starts[element] as number);
  }
  const values = new Uint32Array(starts[count] as number);
  const next = starts.slice();
  forEachPair((element, value) => {
    const at = next[element] as number;
    values[at] = value;
    next[element] = at + 1;
  });
  return [starts, values];
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
