/**
 * Stores every value once, as bytes in one growing block, and gives it a number; 0 is "none". The builder keeps numbers
 * only. A parser's strings would keep the whole chunk they were cut from in memory, and patterns repeat their paths.
 */
import { GrowingBytes, GrowingInt32 } from '../model/growing-array.ts';

const FNV_PRIME = 0x01000193;
const FNV_START = 0x811c9dc5;

export abstract class BytePool {
  protected readonly bytes = new GrowingBytes();
  protected readonly start = new GrowingInt32();
  /** Hash table with open addressing: the number of the text, or 0 in a free slot. */
  #slots = new Int32Array(1 << 12);

  constructor() {
    this.start.push(0);
    this.start.push(0);
  }

  /** One past the largest number. */
  get size(): number {
    return this.start.length - 1;
  }

  /** Returns the number of the value just written to `bytes`. A new value is kept; a known one keeps its number. */
  protected numberOfWritten(length: number): number {
    const memory = this.bytes.memory();
    const begin = this.bytes.length;
    let slot = hashOf(memory, begin, length) & (this.#slots.length - 1);
    for (let found = this.#slots[slot] ?? 0; found !== 0; found = this.#slots[slot] ?? 0) {
      if (this.#isAt(memory, found, begin, length)) return found;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    const number = this.size;
    this.#slots[slot] = number;
    this.bytes.keep(length);
    this.start.push(begin + length);
    if (number * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  bytesOf(number: number): Uint8Array {
    return this.bytes.memory().subarray(this.start.at(number), this.start.at(number + 1));
  }

  #isAt(memory: Buffer, number: number, begin: number, length: number): boolean {
    const other = this.start.at(number);
    if (this.start.at(number + 1) - other !== length) return false;
    for (let index = 0; index < length; index++) {
      if (memory[other + index] !== memory[begin + index]) return false;
    }
    return true;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const memory = this.bytes.memory();
    for (let number = 1; number < this.size; number++) {
      const begin = this.start.at(number);
      let slot = hashOf(memory, begin, this.start.at(number + 1) - begin) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}

function hashOf(memory: Buffer, begin: number, length: number): number {
  let hash = FNV_START;
  for (let index = begin; index < begin + length; index++) {
    hash = Math.imul(hash ^ (memory[index] ?? 0), FNV_PRIME);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
