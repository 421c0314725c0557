/** Collects bits, the most significant first, and pads the last octet with zeros. */
const FIRST_OCTETS = 256;

export class BitWriter {
  #octets = Buffer.alloc(FIRST_OCTETS);
  #bits = 0;

  get length(): number {
    return this.#bits;
  }

  /** `width` is 0 to 48. */
  writeBits(value: number, width: number): void {
    this.#makeRoom(width);
    let left = width;
    while (left > 0) {
      const free = 8 - (this.#bits % 8);
      const taken = Math.min(free, left);
      const part = Math.floor(value / 2 ** (left - taken)) % 2 ** taken;
      const at = this.#bits >> 3;
      this.#octets[at] = (this.#octets[at] ?? 0) | (part << (free - taken));
      this.#bits += taken;
      left -= taken;
    }
  }

  writeBit(isSet: boolean): void {
    this.writeBits(isSet ? 1 : 0, 1);
  }

  writeOctets(octets: Uint8Array): void {
    for (const octet of octets) this.writeBits(octet, 8);
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#octets.subarray(0, Math.ceil(this.#bits / 8)));
  }

  #makeRoom(width: number): void {
    const needed = Math.ceil((this.#bits + width) / 8);
    if (needed <= this.#octets.length) return;
    const larger = Buffer.alloc(Math.max(needed, this.#octets.length * 2));
    this.#octets.copy(larger);
    this.#octets = larger;
  }
}
