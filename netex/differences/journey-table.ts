/**
 * The journeys of one dataset as columns of numbers, about 60 bytes each. Hashes and numbers of two datasets compare
 * when both were read with one vocabulary. Callers: the outline of a dataset fills it, the comparison reads it.
 */
import { type GrowingArray, growingInt32, growingUint32 } from '../packed/growing-array.ts';

const UNSIGNED = ['idHigh', 'idLow', 'stopsHigh', 'stopsLow', 'timesHigh', 'timesLow'] as const;
/** Numbers of the vocabulary; departure in seconds since midnight of the operating day, `days` of the day sets. */
const SIGNED = ['line', 'direction', 'firstStop', 'lastStop', 'departure', 'days'] as const;

export type JourneyColumn = (typeof UNSIGNED)[number] | (typeof SIGNED)[number];
type JourneyRow = Readonly<Record<JourneyColumn, number>>;

export class JourneyTable {
  readonly #columns: Readonly<Record<JourneyColumn, GrowingArray<Uint32Array | Int32Array>>>;
  length = 0;

  constructor() {
    const columns: Partial<Record<JourneyColumn, GrowingArray<Uint32Array | Int32Array>>> = {};
    for (const name of UNSIGNED) columns[name] = growingUint32();
    for (const name of SIGNED) columns[name] = growingInt32();
    this.#columns = columns as Record<JourneyColumn, GrowingArray<Uint32Array | Int32Array>>;
  }

  add(row: JourneyRow): void {
    for (const name of UNSIGNED) this.#columns[name].push(row[name]);
    for (const name of SIGNED) this.#columns[name].push(row[name]);
    this.length++;
  }

  /** A view, valid until the next row. */
  column(name: JourneyColumn): Uint32Array | Int32Array {
    return this.#columns[name].values();
  }

  set(name: JourneyColumn, row: number, value: number): void {
    this.#columns[name].set(row, value);
  }
}
