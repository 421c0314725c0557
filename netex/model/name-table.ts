/**
 * Numbers texts that recur, such as ids. Holds their bytes and hashes, no strings, so that the facts of large common
 * files stay small. Its parts go into the block of bytes that PackedFacts opens.
 *
 * Two texts with one hash would count as one: dataset/id-hash.ts states the probability.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { IdHasher } from '../dataset/id-hash.ts';

const encoder = new TextEncoder();
/** Largest UTF-8 size of one UTF-16 unit. */
const MOST_BYTES = 3;

export class NameTable {
  readonly #hasher = new IdHasher();
  readonly #numbers = new HashSet();
  #bytes = new Uint8Array(1024);
  #length = 0;
  /** Per name: high and low half of its hash, end of its bytes. */
  #rows = new Uint32Array(3 * 64);

  get size(): number {
    return this.#numbers.size;
  }

  /** -1 for no text. */
  number(text: string | undefined): number {
    if (text === undefined) return -1;
    const { high, low } = this.#hash(text);
    return this.#numbers.add(high, low) ? this.#append(text, high, low) : this.#numbers.find(high, low);
  }

  hashHigh(number: number): number {
    return this.#rows[number * 3] as number;
  }

  hashLow(number: number): number {
    return this.#rows[number * 3 + 1] as number;
  }

  end(number: number): number {
    return number < 0 ? 0 : (this.#rows[number * 3 + 2] as number);
  }

  /** All texts in the order of their numbers. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #hash(text: string): IdHasher {
    this.#hasher.hash(text);
    return this.#hasher;
  }

  #append(text: string, high: number, low: number): number {
    const number = this.#numbers.size - 1;
    const needed = this.#length + text.length * MOST_BYTES;
    if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes, new Uint8Array(needed * 2));
    if (number * 3 === this.#rows.length) this.#rows = grown(this.#rows, new Uint32Array(this.#rows.length * 2));
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
    this.#rows.set([high, low, this.#length], number * 3);
    return number;
  }
}

function grown<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
