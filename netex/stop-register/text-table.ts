/**
 * Stores each different text once, as UTF-8 in one run of bytes, under a number. Number 0 is "no text".
 *
 * Callers: the stop register, which would otherwise hold half a million strings while it is built and again when
 * open.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { IdHasher } from '../dataset/id-hash.ts';
import { growingUint32 } from '../packed/growing-array.ts';

export class TextTableBuilder {
  readonly #hasher = new IdHasher();
  readonly #known = new HashSet();
  /** Start of text n, from text 1 on; then the end of the last. */
  readonly #starts = growingUint32();
  #bytes = Buffer.alloc(64 * 1024);
  #end = 0;

  constructor() {
    this.#starts.append([0, 0]);
  }

  /** The text's number, equal for equal texts; 0 for none. */
  add(text: string | undefined): number {
    if (text === undefined || text === '') return 0;
    const hasher = this.#hasher;
    hasher.hash(text);
    const { high, low } = hasher;
    const known = this.#known.find(high, low);
    if (known >= 0) return known + 1;
    this.#known.add(high, low);
    this.#reserve(text.length * 3);
    this.#end += this.#bytes.write(text, this.#end, 'utf8');
    this.#starts.push(this.#end);
    return this.#known.size;
  }

  read(number: number): string {
    return this.#bytes.toString('utf8', this.#starts.get(number), this.#starts.get(number + 1));
  }

  starts(): Uint32Array {
    return this.#starts.values();
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(this.#end + more, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

export class TextTable {
  readonly #starts: Uint32Array;
  readonly #bytes: Buffer;

  constructor(starts: Uint32Array, bytes: Uint8Array) {
    this.#starts = starts;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Undefined for number 0. */
  read(number: number): string | undefined {
    if (number === 0) return undefined;
    return this.#bytes.toString('utf8', this.#starts[number], this.#starts[number + 1]);
  }
}
