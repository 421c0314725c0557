/** Builds a {@link NameIndex} in slices of a few milliseconds. Places are numbered in the order of adding. */
import { Buffer } from 'node:buffer';
import { FIRST_WORD, NameIndex, POSTING_BITS, SURROUNDINGS } from './name-index.ts';
import { sortInSlices, TimeSlicer } from './time-slicer.ts';

/** Postings hold a place's number in 30 bits. */
const MAX_PLACES = 2 ** (32 - POSTING_BITS);
const MAX_WORDS_OF_NAME = 255;

export class NameIndexBuilder {
  readonly slicer = new TimeSlicer();
  readonly #wordNumbers = new Map<string, number>();
  readonly #words: string[] = [];
  /** Pairs of word and posting. */
  #pairs = new Uint32Array(1 << 12);
  #pairCount = 0;
  #nameWords = new Uint8Array(1 << 10);
  #importance = new Uint8Array(1 << 10);
  #places = 0;

  add(name: readonly string[], surroundings: readonly string[], importance: number): void {
    const place = this.#places++;
    if (place >= MAX_PLACES) throw new Error('There are too many places for one index');
    if (place >= this.#nameWords.length) {
      this.#nameWords = grown(this.#nameWords);
      this.#importance = grown(this.#importance);
    }
    this.#nameWords[place] = Math.min(name.length, MAX_WORDS_OF_NAME);
    this.#importance[place] = Math.max(0, Math.min(99, Math.round(importance)));
    const seen = new Set<string>();
    name.forEach((word, at) => {
      if (!seen.has(word)) this.#addPosting(word, place, at === 0 ? FIRST_WORD : 0);
      seen.add(word);
    });
    for (const word of surroundings) {
      if (!seen.has(word)) this.#addPosting(word, place, SURROUNDINGS);
      seen.add(word);
    }
  }

  #addPosting(word: string, place: number, flags: number): void {
    let number = this.#wordNumbers.get(word);
    if (number === undefined) {
      number = this.#words.length;
      this.#wordNumbers.set(word, number);
      this.#words.push(word);
    }
    if (this.#pairCount + 2 > this.#pairs.length) {
      const larger = new Uint32Array(this.#pairs.length * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#pairCount++] = number;
    this.#pairs[this.#pairCount++] = ((place << POSTING_BITS) | flags) >>> 0;
  }

  async finish(): Promise<NameIndex> {
    const { slicer } = this;
    const words: { bytes: Buffer; number: number }[] = [];
    let byteCount = 0;
    for (let number = 0; number < this.#words.length; number++) {
      const bytes = Buffer.from(this.#words[number] as string);
      words.push({ bytes, number });
      byteCount += bytes.length;
      if (slicer.isOver) await slicer.rest();
    }
    const sorted = await sortInSlices(words, (one, other) => Buffer.compare(one.bytes, other.bytes), slicer);
    const wordStart = new Uint32Array(sorted.length + 1);
    const wordBytes = new Uint8Array(byteCount);
    const rank = new Uint32Array(sorted.length);
    let end = 0;
    for (const [at, { bytes, number }] of sorted.entries()) {
      wordBytes.set(bytes, end);
      end += bytes.length;
      wordStart[at + 1] = end;
      rank[number] = at;
    }
    const { postingStart, postings } = await this.#sortPostings(rank);
    const placeCount = this.#places;
    return new NameIndex({
      placeCount,
      wordStart,
      wordBytes,
      postingStart,
      postings,
      nameWords: this.#nameWords.slice(0, placeCount),
      importance: this.#importance.slice(0, placeCount),
    });
  }

  async #sortPostings(rank: Uint32Array): Promise<{ postingStart: Uint32Array; postings: Uint32Array }> {
    const pairs = this.#pairs;
    const postingStart = new Uint32Array(rank.length + 1);
    for (let at = 0; at < this.#pairCount; at += 2) {
      const word = (rank[pairs[at] as number] as number) + 1;
      postingStart[word] = (postingStart[word] as number) + 1;
    }
    for (let word = 0; word < rank.length; word++) {
      postingStart[word + 1] = (postingStart[word + 1] as number) + (postingStart[word] as number);
    }
    await this.slicer.rest();
    const postings = new Uint32Array(this.#pairCount / 2);
    const next = postingStart.slice();
    for (let at = 0; at < this.#pairCount; at += 2) {
      const word = rank[pairs[at] as number] as number;
      const place = next[word] as number;
      next[word] = place + 1;
      postings[place] = pairs[at + 1] as number;
      if (at % 4096 === 0 && this.slicer.isOver) await this.slicer.rest();
    }
    return { postingStart, postings };
  }
}

function grown(array: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(array.length * 2);
  larger.set(array);
  return larger;
}
