/** Searches bytes for thousands of texts at once, in one pass. Callers: remains.ts, raw-files.ts. */

/** `text` names what the bytes tell. At least three bytes. */
export interface Needle {
  readonly text: string;
  readonly form: string;
  readonly bytes: Buffer;
}

const PREFIX_BYTES = 3;
/** Databases allocate files ahead: most of their bytes are zeros, and comparing a block is far cheaper than reading it. */
const ZEROS = Buffer.alloc(1_024);

export class ManyTexts {
  /** Length of the longest text. */
  readonly longest: number;
  /** By the first two bytes of a text: small enough for the processor's cache, which a table of three is not. */
  readonly #isBeginning = new Uint8Array(2 ** 16);
  /** By the first three bytes, a bit each: most pairs of bytes that begin a text begin another word. */
  readonly #isPrefix = new Uint8Array(2 ** 21);
  readonly #byPrefix = new Map<number, Needle[]>();

  constructor(needles: readonly Needle[]) {
    for (const needle of needles) {
      const prefix = needle.bytes.readUIntBE(0, PREFIX_BYTES);
      this.#isBeginning[prefix >> 8] = 1;
      this.#isPrefix[prefix >> 3] = (this.#isPrefix[prefix >> 3] ?? 0) | (1 << (prefix & 7));
      this.#byPrefix.set(prefix, [...(this.#byPrefix.get(prefix) ?? []), needle]);
    }
    this.longest = Math.max(...needles.map(({ bytes }) => bytes.length));
  }

  /** One needle for each text that occurs in the bytes. */
  find(bytes: Buffer): readonly Needle[] {
    const found = new Map<string, Needle>();
    const isBeginning = this.#isBeginning;
    const isPrefix = this.#isPrefix;
    let pair = bytes[0] ?? 0;
    for (let at = 1; at < bytes.length - 1; at += 1) {
      pair = ((pair << 8) | (bytes[at] ?? 0)) & 0xffff;
      if (isBeginning[pair] === 0) {
        if (pair === 0 && at % ZEROS.length === 0) at = endOfZeros(bytes, at);
        continue;
      }
      const prefix = (pair << 8) | (bytes[at + 1] ?? 0);
      if (((isPrefix[prefix >> 3] ?? 0) & (1 << (prefix & 7))) === 0) continue;
      for (const needle of this.#startingAt(at - 1, bytes)) found.set(needle.text, needle);
    }
    return [...found.values()];
  }

  #startingAt(begin: number, bytes: Buffer): readonly Needle[] {
    const candidates = this.#byPrefix.get(bytes.readUIntBE(begin, PREFIX_BYTES)) ?? [];
    return candidates.filter(({ bytes: text }) => {
      const end = begin + text.length;
      return end <= bytes.length && bytes.compare(text, 0, text.length, begin, end) === 0;
    });
  }
}

/** The last byte of the blocks of zeros that begin at `at`, where a zero stands. */
function endOfZeros(bytes: Buffer, at: number): number {
  let end = at;
  for (let next = end + ZEROS.length; next <= bytes.length; next += ZEROS.length) {
    if (bytes.compare(ZEROS, 0, ZEROS.length, end, next) !== 0) break;
    end = next;
  }
  return Math.max(at, end - 1);
}
