/**
 * Typed arrays next to each other in one block of bytes: a storage form that opens without copying, also when threads
 * share the bytes.
 *
 * Callers: the stop register. Little endian. Layout: magic, format, number of sections, unused; per section its start
 * and length in bytes; then the sections, each at a multiple of 8.
 */
const MAGIC = 0x50545352;
const FIXED_WORDS = 4;
const ALIGNMENT = 8;

/** The bytes are a block of another format, or not a block. A caller with their source rebuilds them. */
export class BlockFormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BlockFormatError';
  }
}

export function packBlock(format: number, sections: readonly ArrayBufferView[]): Uint8Array {
  let end = aligned((FIXED_WORDS + sections.length * 2) * 4);
  const starts = sections.map((section) => {
    const start = end;
    end = aligned(start + section.byteLength);
    return start;
  });
  const bytes = new Uint8Array(end);
  const words = new Uint32Array(bytes.buffer);
  words.set([MAGIC, format, sections.length]);
  sections.forEach((section, index) => {
    const start = starts[index] ?? 0;
    words.set([start, section.byteLength], FIXED_WORDS + index * 2);
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), start);
  });
  return bytes;
}

export class PackedBlock {
  readonly bytes: Uint8Array;
  readonly #words: Uint32Array;

  /** Throws BlockFormatError. Copies only bytes that do not begin at a multiple of 8 of their buffer. */
  constructor(bytes: Uint8Array, format: number) {
    const held = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice();
    this.bytes = held;
    this.#words = new Uint32Array(held.buffer, held.byteOffset, Math.floor(held.byteLength / 4));
    const [magic, found, sections = 0] = this.#words;
    if (magic !== MAGIC || found !== format) throw new BlockFormatError('These bytes are not a block of this format');
    const isWhole = this.#words.length >= FIXED_WORDS + sections * 2;
    for (let index = 0; index < sections; index++) {
      const [start = 0, length = 0] = this.#words.subarray(FIXED_WORDS + index * 2);
      if (!isWhole || start + length > held.byteLength) throw new BlockFormatError('The block is cut short');
    }
  }

  uint8(section: number): Uint8Array {
    const [start, length] = this.#placeOf(section);
    return new Uint8Array(this.bytes.buffer, start, length);
  }

  int16(section: number): Int16Array {
    const [start, length] = this.#placeOf(section);
    return new Int16Array(this.bytes.buffer, start, length / 2);
  }

  uint32(section: number): Uint32Array {
    const [start, length] = this.#placeOf(section);
    return new Uint32Array(this.bytes.buffer, start, length / 4);
  }

  int32(section: number): Int32Array {
    const [start, length] = this.#placeOf(section);
    return new Int32Array(this.bytes.buffer, start, length / 4);
  }

  float64(section: number): Float64Array {
    const [start, length] = this.#placeOf(section);
    return new Float64Array(this.bytes.buffer, start, length / 8);
  }

  #placeOf(section: number): [start: number, length: number] {
    const at = FIXED_WORDS + section * 2;
    return [this.bytes.byteOffset + (this.#words[at] ?? 0), this.#words[at + 1] ?? 0];
  }
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
