/** Reads bits, the most significant first. Throws a {@link PerError} at the end of the bytes. */
import { PerError } from './per-error.ts';

export class BitReader {
  readonly #octets: Uint8Array;
  #bits = 0;

  constructor(octets: Uint8Array) {
    this.#octets = octets;
  }

  /** Position in bits. */
  get position(): number {
    return this.#bits;
  }

  /** `width` is 0 to 48. */
  readBits(width: number): number {
    if (this.#bits + width > this.#octets.length * 8) throw new PerError('the encoding ends too early');
    let value = 0;
    let left = width;
    while (left > 0) {
      const unread = 8 - (this.#bits % 8);
      const taken = Math.min(unread, left);
      const octet = this.#octets[this.#bits >> 3] ?? 0;
      value = value * 2 ** taken + ((octet >> (unread - taken)) & (2 ** taken - 1));
      this.#bits += taken;
      left -= taken;
    }
    return value;
  }

  readBit(): boolean {
    return this.readBits(1) === 1;
  }

  readOctets(count: number): Buffer {
    if (this.#bits + count * 8 > this.#octets.length * 8) throw new PerError('the encoding ends too early');
    const octets = Buffer.alloc(count);
    for (let at = 0; at < count; at += 1) octets[at] = this.readBits(8);
    return octets;
  }

  /** What follows may pad the last octet with zeros, and nothing else. */
  assertEnd(): void {
    const rest = this.#octets.length * 8 - this.#bits;
    if (rest > 7 || this.readBits(rest) !== 0) throw new PerError('the encoding has more than its type');
  }
}
