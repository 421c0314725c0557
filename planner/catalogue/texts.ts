/**
 * The texts of a snapshot, decoded on demand. A bounded table caches the texts decoded last, since boards need the same
 * few thousand names repeatedly. So the snapshot's whole vocabulary never becomes strings.
 */
import type { Sections } from '../snapshot/sections.ts';

const CACHE_PLACES = 1 << 14;

export class Texts {
  readonly #start: Uint32Array;
  readonly #bytes: Buffer;
  readonly #cachedNumbers = new Int32Array(CACHE_PLACES);
  readonly #cachedTexts: string[] = new Array(CACHE_PLACES).fill('');

  constructor(sections: Sections) {
    this.#start = sections.uint32('texts.start');
    const bytes = sections.uint8('texts.bytes');
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** 0 is no text. */
  text(number: number): string | undefined {
    if (number === 0) return undefined;
    const place = number & (CACHE_PLACES - 1);
    if (this.#cachedNumbers[place] === number) return this.#cachedTexts[place];
    const text = this.#bytes.toString('utf8', this.#start[number], this.#start[number + 1]);
    this.#cachedNumbers[place] = number;
    this.#cachedTexts[place] = text;
    return text;
  }

  /** Below zero when the text comes before these UTF-8 bytes, by their order. */
  compare(number: number, bytes: Uint8Array): number {
    const begin = this.#start[number] ?? 0;
    const length = (this.#start[number + 1] ?? 0) - begin;
    const common = Math.min(length, bytes.length);
    for (let index = 0; index < common; index++) {
      const difference = (this.#bytes[begin + index] ?? 0) - (bytes[index] ?? 0);
      if (difference !== 0) return difference;
    }
    return length - bytes.length;
  }
}
