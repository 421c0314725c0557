/** Numbers the texts and polylines that a snapshot uses by their first use, so that the order of adding does not matter. */

import { GrowingInt32 } from '../model/growing-array.ts';
import type { SectionWriter } from '../snapshot/section-writer.ts';
import type { BytePool } from './byte-pool.ts';

export class FinalNumbers {
  readonly #pool: BytePool;
  readonly #finalOf: Int32Array;
  readonly #used = new GrowingInt32();
  #bytes = 0;

  /** The pool must not take more entries afterwards. */
  constructor(pool: BytePool) {
    this.#pool = pool;
    this.#finalOf = new Int32Array(pool.size);
    this.#used.push(0);
  }

  numberOf(poolNumber: number): number {
    if (poolNumber === 0) return 0;
    const known = this.#finalOf[poolNumber] ?? 0;
    if (known !== 0) return known;
    const number = this.#used.length;
    this.#used.push(poolNumber);
    this.#finalOf[poolNumber] = number;
    this.#bytes += this.#pool.bytesOf(poolNumber).length;
    return number;
  }

  write(name: string, sections: SectionWriter): void {
    const bytes = new Uint8Array(this.#bytes);
    const start = new Uint32Array(this.#used.length + 1);
    let offset = 0;
    for (let number = 0; number < this.#used.length; number++) {
      const text = this.#pool.bytesOf(this.#used.at(number));
      bytes.set(text, offset);
      offset += text.length;
      start[number + 1] = offset;
    }
    sections.add(`${name}.start`, start);
    sections.add(`${name}.bytes`, bytes);
  }
}
