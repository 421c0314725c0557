/**
 * Writes and reads numbers and texts in few bytes. A number takes groups of seven bits. A text omits the prefix that it
 * shares with the text before it. Caller: `ride-bytes.ts`.
 */
export class ByteWriter {
  readonly #bytes: number[] = [];

  /** `value` must be a whole number, not negative. */
  number(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes.push((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes.push(rest);
  }

  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** `before` is the preceding text, which the reader knows. */
  text(value: string, before: string): void {
    const [bytes, known] = [Buffer.from(value), Buffer.from(before)];
    let shared = 0;
    while (shared < bytes.length && shared < known.length && bytes[shared] === known[shared]) shared += 1;
    this.number(shared);
    this.number(bytes.length - shared);
    for (const byte of bytes.subarray(shared)) this.#bytes.push(byte);
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** Its methods throw a RangeError past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || factor > Number.MAX_SAFE_INTEGER) throw new RangeError('No number here');
      this.#at += 1;
      value += (byte & 0x7f) * factor;
      if (byte <= 0x7f) return value;
    }
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  text(before: string): string {
    const [shared, own] = [this.number(), this.number()];
    const known = Buffer.from(before);
    if (shared > known.length || this.#at + own > this.#bytes.length) throw new RangeError('No text here');
    const bytes = Buffer.concat([known.subarray(0, shared), this.#bytes.subarray(this.#at, this.#at + own)]);
    this.#at += own;
    return bytes.toString();
  }
}
