/**
 * Facts in one block of bytes, which is also its storage form. In a SharedArrayBuffer it serves several threads;
 * opening it copies nothing.
 *
 * Layout, in words of 32 bits: magic, format, number of names, capacity, bytes of names; then the rows of each section.
 * For each name follow the two halves of its hash and the end of its text. Then come `capacity` slots of name number +
 * 1 (0: empty), looked up by open addressing. The sections follow, with rows sorted by their first column, a name
 * number. The texts of the names in UTF-8 are last.
 */
import { IdHasher } from '../dataset/id-hash.ts';
import { slotsFor } from '../packed/id-slots.ts';
import type { NameTable } from './name-table.ts';
import type { RowList } from './row-list.ts';

/** Stands for a missing number; -1 stands for a missing name. */
export const UNKNOWN = -0x8000_0000;

const SECTIONS = ['assignments', 'links', 'dayTypes', 'dayAssignments', 'periods', 'operatingDays'] as const;
export type FactSection = (typeof SECTIONS)[number];
const WIDTHS: Readonly<Record<FactSection, number>> = {
  assignments: 4,
  links: 9,
  dayTypes: 2,
  dayAssignments: 5,
  periods: 6,
  operatingDays: 2,
};

const MAGIC = 0x54434146;
const FORMAT = 2;
const FIXED_WORDS = 5;
const HEADER_WORDS = FIXED_WORDS + SECTIONS.length;
const WORDS_PER_NAME = 3;

export function packFacts(names: NameTable, sections: Readonly<Record<FactSection, RowList>>): Uint8Array {
  const capacity = slotsFor(names.size);
  const texts = names.bytes();
  const rows = SECTIONS.map((section) => sections[section].sorted());
  const rowWords = rows.reduce((sum, words) => sum + words.length, 0);
  const words = HEADER_WORDS + names.size * WORDS_PER_NAME + capacity + rowWords;
  const bytes = new Uint8Array(words * 4 + Math.ceil(texts.length / 4) * 4);
  const packed = new Int32Array(bytes.buffer);
  packed.set([MAGIC, FORMAT, names.size, capacity, texts.length]);
  packed.set(
    SECTIONS.map((section) => sections[section].size),
    FIXED_WORDS,
  );
  let at = packNames(packed, names, capacity);
  for (const section of rows) {
    packed.set(section, at);
    at += section.length;
  }
  bytes.set(texts, at * 4);
  return bytes;
}

/** Returns the offset of the sections. */
function packNames(packed: Int32Array, names: NameTable, capacity: number): number {
  const slots = HEADER_WORDS + names.size * WORDS_PER_NAME;
  for (let number = 0; number < names.size; number++) {
    const at = HEADER_WORDS + number * WORDS_PER_NAME;
    packed[at] = names.hashHigh(number);
    packed[at + 1] = names.hashLow(number);
    packed[at + 2] = names.end(number);
    let slot = names.hashLow(number) & (capacity - 1);
    while (packed[slots + slot] !== 0) slot = (slot + 1) & (capacity - 1);
    packed[slots + slot] = number + 1;
  }
  return slots + capacity;
}

/** Rows of a section: `width` words each; the first is the name number that sorts them. */
export interface FactRows {
  readonly words: Int32Array;
  readonly width: number;
  readonly size: number;
}

export class PackedFacts {
  /** The storage form. */
  readonly bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #names: number;
  readonly #capacity: number;
  readonly #texts: Buffer;
  readonly #sections: Readonly<Record<FactSection, FactRows>>;
  readonly #hasher = new IdHasher();

  private constructor(bytes: Uint8Array) {
    if (bytes.byteOffset % 4 !== 0) bytes = bytes.slice();
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
    const [magic, format, names = 0, capacity = 0, textBytes = 0] = words;
    if (magic !== MAGIC || format !== FORMAT) throw new Error('These bytes are not facts of this version');
    let at = HEADER_WORDS + names * WORDS_PER_NAME + capacity;
    const sections: Partial<Record<FactSection, FactRows>> = {};
    for (const [index, section] of SECTIONS.entries()) {
      const size = words[FIXED_WORDS + index] ?? 0;
      const width = WIDTHS[section];
      sections[section] = { words: words.subarray(at, at + size * width), width, size };
      at += size * width;
    }
    if (bytes.byteLength < at * 4 + textBytes) throw new Error('The facts are cut short');
    this.bytes = bytes;
    this.#words = words;
    this.#names = names;
    this.#capacity = capacity;
    this.#texts = Buffer.from(bytes.buffer, bytes.byteOffset + at * 4, textBytes);
    this.#sections = sections as Record<FactSection, FactRows>;
  }

  /** Throws when the bytes are not facts. */
  static open(bytes: Uint8Array): PackedFacts {
    return new PackedFacts(bytes);
  }

  rows(section: FactSection): FactRows {
    return this.#sections[section];
  }

  /** The text of a name; undefined for -1. */
  text(number: number): string | undefined {
    if (number < 0 || number >= this.#names) return undefined;
    const at = HEADER_WORDS + number * WORDS_PER_NAME + 2;
    const start = number === 0 ? 0 : (this.#words[at - WORDS_PER_NAME] as number);
    return this.#texts.toString('utf8', start, this.#words[at] as number);
  }

  /** First row of a section that has the name in its first column; -1 when none has. */
  findRow(section: FactSection, name: string): number {
    const { words, width, size } = this.#sections[section];
    const number = size === 0 ? -1 : this.#number(name);
    if (number < 0) return -1;
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((words[middle * width] as number) < number) low = middle + 1;
      else high = middle;
    }
    return low < size && words[low * width] === number ? low : -1;
  }

  #number(text: string): number {
    this.#hasher.hash(text);
    const high = this.#hasher.high | 0;
    const low = this.#hasher.low | 0;
    const words = this.#words;
    const mask = this.#capacity - 1;
    const slots = HEADER_WORDS + this.#names * WORDS_PER_NAME;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const number = (words[slots + slot] as number) - 1;
      if (number < 0) return -1;
      const at = HEADER_WORDS + number * WORDS_PER_NAME;
      if (words[at] === high && words[at + 1] === low) return number;
    }
  }
}
