/**
 * The days on which journeys run, within one window of days: each different set is stored once, as bits, under a
 * number. Both datasets of a comparison share them, so equal numbers are equal days. Callers: the outline of a
 * dataset, the comparison.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { growingUint32 } from '../packed/growing-array.ts';
import { NumberHasher } from '../packed/number-hash.ts';

const WORDS = 13;
const BITS_PER_WORD = 32;
/** A year and seven weeks: the longest that producers publish ahead. */
export const WINDOW_DAYS = WORDS * BITS_PER_WORD;
export const NO_DAYS = 0;

export class DaySets {
  /** Days since 1970-01-01. */
  readonly firstDay: number;
  readonly #words = growingUint32();
  readonly #known = new HashSet();
  readonly #hasher = new NumberHasher();
  readonly #scratch = new Uint32Array(WORDS);

  constructor(firstDay: number) {
    this.firstDay = firstDay;
    this.addDays([]);
  }

  /** Days outside the window count for nothing. */
  addDays(days: Iterable<number>): number {
    this.#scratch.fill(0);
    for (const day of days) {
      const place = day - this.firstDay;
      if (place < 0 || place >= WINDOW_DAYS) continue;
      this.#scratch[place >> 5] = (this.#scratch[place >> 5] as number) | (1 << (place & 31));
    }
    return this.#addScratch();
  }

  /** The days of the set that are in the mask, too. */
  addCommon(set: number, mask: number): number {
    const [words, masked] = [this.wordsOf(set), this.wordsOf(mask)];
    for (let word = 0; word < WORDS; word++) {
      this.#scratch[word] = (words[word] as number) & (masked[word] as number);
    }
    return this.#addScratch();
  }

  wordsOf(set: number): Uint32Array {
    return this.#words.values().subarray(set * WORDS, (set + 1) * WORDS);
  }

  daysOf(set: number): number[] {
    return this.daysIn(this.wordsOf(set));
  }

  /** Ascending. */
  daysIn(words: Uint32Array): number[] {
    const days: number[] = [];
    for (let word = 0; word < WORDS; word++) {
      let bits = words[word] as number;
      while (bits !== 0) {
        const bit = 31 - Math.clz32(bits & -bits);
        days.push(this.firstDay + word * BITS_PER_WORD + bit);
        bits &= bits - 1;
      }
    }
    return days;
  }

  #addScratch(): number {
    this.#hasher.begin();
    for (const word of this.#scratch) this.#hasher.add(word);
    const { high, low } = this.#hasher;
    const known = this.#known.find(high, low);
    if (known >= 0) return known;
    this.#known.add(high, low);
    this.#words.append(this.#scratch);
    return this.#known.size - 1;
  }
}

/** The union of sets of each line, by the line's number. */
export class DaysOfLines {
  readonly #sets: DaySets;
  readonly #days: Uint32Array;

  constructor(sets: DaySets, lines: number) {
    this.#sets = sets;
    this.#days = new Uint32Array(lines * WORDS);
  }

  add(line: number, set: number): void {
    const words = this.#sets.wordsOf(set);
    for (let word = 0; word < WORDS; word++) {
      const at = line * WORDS + word;
      this.#days[at] = (this.#days[at] as number) | (words[word] as number);
    }
  }

  /** The days of this line that it does not have in the others, ascending. */
  without(others: DaysOfLines, line: number): number[] {
    const words = new Uint32Array(WORDS);
    for (let word = 0; word < WORDS; word++) {
      const at = line * WORDS + word;
      words[word] = (this.#days[at] as number) & ~(others.#days[at] as number);
    }
    return this.#sets.daysIn(words);
  }
}
