/**
 * Finds places by the beginnings of words in their names, best first. The index is packed arrays, so a search allocates
 * little. The places that match the first letters bound its time. It knows places by number alone.
 * `name-index-builder.ts` builds it.
 *
 * A search word can match a word of the name in three respects. It equals the word (best), begins it, or begins it with
 * one typing error (from five letters on). All search words must match. Words of the name's surroundings (its town)
 * match too, but at least one must be of the name.
 */
import { eachTypingError } from './each-typing-error.ts';

/** Bits of a posting beside the place's number. */
export const FIRST_WORD = 1;
export const SURROUNDINGS = 2;
export const POSTING_BITS = 2;

export interface NameIndexArrays {
  readonly placeCount: number;
  /** Words, sorted by their bytes. */
  readonly wordStart: Uint32Array;
  readonly wordBytes: Uint8Array;
  readonly postingStart: Uint32Array;
  readonly postings: Uint32Array;
  /** Number of words in each place's name. */
  readonly nameWords: Uint8Array;
  /** From 0 to 99. */
  readonly importance: Uint8Array;
}

/**
 * Returns the boost of a place, which is added to its score. The step from "begins with" to "equals" is 800; importance
 * adds up to 99.
 */
export type Boost = (place: number) => number;

const EXACT = 30;
const PREFIX = 22;
const TYPING_ERROR = 8;
const SURROUNDINGS_FACTOR = 0.5;
const FIRST_WORD_BONUS = 4;
const WHOLE_NAME_BONUS = 8;
const MAX_WORDS = 8;
const MAX_LETTERS = 40;
const TYPING_ERRORS_FROM_LETTERS = 5;
const TYPING_ERRORS_UP_TO_LETTERS = 20;

export class NameIndex {
  readonly #arrays: NameIndexArrays;
  /** Number of words in order that each place has matched. Bit 7 is set if one of them is in its name. */
  readonly #matched: Uint8Array;
  readonly #quality: Float32Array;
  readonly #best: Uint8Array;
  readonly #bestFlags: Uint8Array;
  readonly #touched: Uint32Array;
  /** All places that matched the first word. A search resets them at its end. */
  readonly #first: Uint32Array;
  #firstCount = 0;

  constructor(arrays: NameIndexArrays) {
    this.#arrays = arrays;
    this.#matched = new Uint8Array(arrays.placeCount);
    this.#quality = new Float32Array(arrays.placeCount);
    this.#best = new Uint8Array(arrays.placeCount);
    this.#bestFlags = new Uint8Array(arrays.placeCount);
    this.#touched = new Uint32Array(arrays.placeCount);
    this.#first = new Uint32Array(arrays.placeCount);
  }

  /** Returns at most `count` places with their scores, best first; equal scores by number. */
  search(words: readonly string[], count: number, boost: Boost = () => 0): { place: number; score: number }[] {
    const searched = words.slice(0, MAX_WORDS).map((word) => Buffer.from(word.slice(0, MAX_LETTERS)));
    if (searched.length === 0) return [];
    let candidates = 0;
    searched.forEach((word, at) => {
      candidates = this.#matchWord(word, at);
    });
    const found = this.#rank(candidates, searched.length, count, boost);
    for (let index = 0; index < this.#firstCount; index++) {
      const place = this.#first[index] as number;
      this.#matched[place] = 0;
      this.#quality[place] = 0;
    }
    return found;
  }

  /**
   * Advances the places that have matched every earlier word. Returns the number that also match this one, in
   * `#touched`.
   */
  #matchWord(word: Uint8Array, at: number): number {
    let touched = this.#matchPrefix(word, word.length, at, 0, false);
    if (word.length >= TYPING_ERRORS_FROM_LETTERS && word.length <= TYPING_ERRORS_UP_TO_LETTERS) {
      eachTypingError(word, (variant, length) => {
        touched = this.#matchPrefix(variant, length, at, touched, true);
      });
    }
    for (let index = 0; index < touched; index++) {
      const place = this.#touched[index] as number;
      const flags = this.#bestFlags[place] as number;
      this.#quality[place] = (this.#quality[place] as number) + (this.#best[place] as number);
      this.#matched[place] =
        (at + 1) | ((flags & SURROUNDINGS) === 0 || (this.#matched[place] as number) & 128 ? 128 : 0);
      this.#best[place] = 0;
    }
    if (at === 0) {
      this.#first.set(this.#touched.subarray(0, touched));
      this.#firstCount = touched;
    }
    return touched;
  }

  #matchPrefix(bytes: Uint8Array, length: number, at: number, touchedBefore: number, isTypingError: boolean): number {
    const { wordStart, postingStart, postings } = this.#arrays;
    let touched = touchedBefore;
    for (let word = this.#firstWordFrom(bytes, length); this.#beginsWith(word, bytes, length); word++) {
      const isWhole = (wordStart[word + 1] as number) - (wordStart[word] as number) === length;
      const quality = isTypingError ? (isWhole ? TYPING_ERROR : TYPING_ERROR - 1) : isWhole ? EXACT : PREFIX;
      const end = postingStart[word + 1] as number;
      for (let index = postingStart[word] as number; index < end; index++) {
        const posting = postings[index] as number;
        const place = posting >>> POSTING_BITS;
        if (((this.#matched[place] as number) & 127) !== at) continue;
        const isSurroundings = (posting & SURROUNDINGS) !== 0;
        const isFirst = at === 0 && (posting & FIRST_WORD) !== 0;
        const value = Math.max(
          1,
          isSurroundings ? quality * SURROUNDINGS_FACTOR : quality + (isFirst ? FIRST_WORD_BONUS : 0),
        );
        if ((this.#best[place] as number) === 0) this.#touched[touched++] = place;
        if (value > (this.#best[place] as number)) {
          this.#best[place] = value;
          this.#bestFlags[place] = posting & (FIRST_WORD | SURROUNDINGS);
        }
      }
    }
    return touched;
  }

  #rank(candidates: number, words: number, count: number, boost: Boost): { place: number; score: number }[] {
    const { nameWords, importance } = this.#arrays;
    const found: { place: number; score: number }[] = [];
    for (let index = 0; index < candidates; index++) {
      const place = this.#touched[index] as number;
      if (((this.#matched[place] as number) & 128) === 0) continue;
      const sum = this.#quality[place] as number;
      const isWholeName = nameWords[place] === words && sum >= words * EXACT;
      const quality = sum / words + (isWholeName ? WHOLE_NAME_BONUS : 0);
      const score = Math.round(quality) * 100 + (importance[place] as number) + boost(place);
      if (found.length === count && score <= (found[count - 1]?.score ?? 0)) continue;
      insert(found, { place, score });
      if (found.length > count) found.pop();
    }
    return found;
  }

  /** Returns the number of the first word that is not before these bytes. */
  #firstWordFrom(bytes: Uint8Array, length: number): number {
    let low = 0;
    let high = this.#arrays.wordStart.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(middle, bytes, length)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(word: number, bytes: Uint8Array, length: number): boolean {
    const { wordStart, wordBytes } = this.#arrays;
    const begin = wordStart[word] as number;
    const wordLength = (wordStart[word + 1] as number) - begin;
    for (let index = 0; index < length; index++) {
      if (index >= wordLength) return true;
      const difference = (wordBytes[begin + index] as number) - (bytes[index] as number);
      if (difference !== 0) return difference < 0;
    }
    return false;
  }

  #beginsWith(word: number, bytes: Uint8Array, length: number): boolean {
    const { wordStart, wordBytes } = this.#arrays;
    if (word >= wordStart.length - 1) return false;
    const begin = wordStart[word] as number;
    if ((wordStart[word + 1] as number) - begin < length) return false;
    for (let index = 0; index < length; index++) if (wordBytes[begin + index] !== bytes[index]) return false;
    return true;
  }
}

/** Equal scores keep the order of their places. */
function insert(found: { place: number; score: number }[], item: { place: number; score: number }): void {
  let at = found.length;
  const isBetter = (other: { place: number; score: number } | undefined): boolean =>
    other !== undefined && (item.score > other.score || (item.score === other.score && item.place < other.place));
  while (at > 0 && isBetter(found[at - 1])) at--;
  found.splice(at, 0, item);
}
