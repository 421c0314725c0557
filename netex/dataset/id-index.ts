/**
 * Index of the ids that exist in all common files of a dataset, or in the stop register. One block of bytes is also
 * its storage form. In a SharedArrayBuffer it serves several threads; opening it copies nothing.
 *
 * Each id has a label: in the register the kind of element, in the index of common files the file. Holds hashes, not
 * ids (id-hash.ts states the risk): 300,000 ids take 6 MB and open in under a millisecond.
 *
 * Layout, little endian: magic, format, words of labels, count, capacity, labels as JSON; then `capacity` slots of
 * id-slots.ts, whose numbers are those of the labels.
 */
import { growingUint32 } from '../packed/growing-array.ts';
import { findNumber, slotOf, slotsFor, WORDS_PER_SLOT } from '../packed/id-slots.ts';
import { IdHasher } from './id-hash.ts';

const MAGIC = 0x58444e49;
const FORMAT = 1;
const FIXED_WORDS = 5;

export interface IndexedId {
  readonly id: string;
  readonly label: string;
}

export class IdIndex {
  /** The storage form. */
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly #labels: readonly string[];
  readonly #slots: Uint32Array;
  readonly #hasher = new IdHasher();

  private constructor(bytes: Uint8Array) {
    if (bytes.byteOffset % 4 !== 0) bytes = bytes.slice();
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
    const [magic, format, labelWords = 0, size = 0, capacity = 0] = words;
    if (magic !== MAGIC || format !== FORMAT) throw new Error('These bytes are not an index of ids of this version');
    const tableStart = FIXED_WORDS + labelWords;
    if (words.length !== tableStart + capacity * WORDS_PER_SLOT) throw new Error('The index of ids is cut short');
    const json = bytes.slice(FIXED_WORDS * 4, tableStart * 4);
    this.bytes = bytes;
    this.size = size;
    this.#labels = JSON.parse(new TextDecoder().decode(json)) as string[];
    this.#slots = words.subarray(tableStart);
  }

  /** Throws when the bytes are not an index. */
  static open(bytes: Uint8Array): IdIndex {
    return new IdIndex(bytes);
  }

  static of(ids: Iterable<IndexedId>, several?: string): IdIndex {
    const builder = new IdIndexBuilder(several);
    for (const { id, label } of ids) builder.add(id, label);
    return builder.build();
  }

  has(id: string): boolean {
    return this.#find(id) !== 0;
  }

  findLabel(id: string): string | undefined {
    return this.#labels[this.#find(id) - 1];
  }

  /** Number of the id's label; 0 when the id is absent. */
  #find(id: string): number {
    const hasher = this.#hasher;
    hasher.hash(id);
    return findNumber(this.#slots, hasher.high, hasher.low);
  }
}

/** Collects ids of any number of files; `build` makes the index of all ids so far. */
export class IdIndexBuilder {
  readonly #hasher = new IdHasher();
  readonly #labelNumbers = new Map<string, number>();
  /** Three words each, as in a slot. */
  readonly #entries = growingUint32();
  readonly #several: string | undefined;

  /** An id added with two labels keeps its first, or gets the label `several` if given. */
  constructor(several?: string) {
    this.#several = several;
  }

  add(id: string, label: string): void {
    this.#hasher.hash(id);
    this.addHash(this.#hasher.high, this.#hasher.low, label);
  }

  addHash(high: number, low: number, label: string): void {
    const labelNumber = this.#labelNumber(label);
    this.#entries.push(low);
    this.#entries.push(high);
    this.#entries.push(labelNumber);
  }

  #labelNumber(label: string): number {
    let labelNumber = this.#labelNumbers.get(label);
    if (labelNumber === undefined) {
      labelNumber = this.#labelNumbers.size + 1;
      this.#labelNumbers.set(label, labelNumber);
    }
    return labelNumber;
  }

  build(): IdIndex {
    const several = this.#several === undefined ? 0 : this.#labelNumber(this.#several);
    const capacity = slotsFor(this.#entries.length / WORDS_PER_SLOT);
    const json = JSON.stringify([...this.#labelNumbers.keys()]);
    const labels = new TextEncoder().encode(json + ' '.repeat(3));
    const labelWords = Math.floor(labels.length / 4);
    const words = new Uint32Array(FIXED_WORDS + labelWords + capacity * WORDS_PER_SLOT);
    const bytes = new Uint8Array(words.buffer);
    bytes.set(labels.subarray(0, labelWords * 4), FIXED_WORDS * 4);
    const size = this.#fill(words.subarray(FIXED_WORDS + labelWords), several);
    words.set([MAGIC, FORMAT, labelWords, size, capacity]);
    return IdIndex.open(bytes);
  }

  #fill(slots: Uint32Array, several: number): number {
    const entries = this.#entries.values();
    let size = 0;
    for (let entry = 0; entry < entries.length; entry += WORDS_PER_SLOT) {
      const low = entries[entry] as number;
      const high = entries[entry + 1] as number;
      const at = slotOf(slots, high, low);
      const label = entries[entry + 2] as number;
      if (slots[at + 2] === 0) {
        slots[at] = low;
        slots[at + 1] = high;
        slots[at + 2] = label;
        size++;
      } else if (several !== 0 && slots[at + 2] !== label) slots[at + 2] = several;
    }
    return size;
  }
}
