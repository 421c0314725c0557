/**
 * Keeps one copy of each text of a scan. Ids recur all over a file; equal ones are then one string, which compares
 * fast.
 *
 * Callers: the collectors of the model.
 */
import { keptText } from '../xml/kept-text.ts';

export class KeptNames {
  readonly #texts = new Map<string, string>();

  keep(text: string): string;
  keep(text: string | undefined): string | undefined;
  keep(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    let kept = this.#texts.get(text);
    if (kept === undefined) {
      kept = keptText(text);
      this.#texts.set(kept, kept);
    }
    return kept;
  }
}

/** Gives each text a number, in order of first occurrence. Most texts follow the same text as the last time. */
export class NumberedNames {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  #followers = new Int32Array(1024).fill(-1);
  #last = -1;

  get size(): number {
    return this.#texts.length;
  }

  /** -1 for a text without a number. */
  find(text: string): number {
    return this.#numbers.get(text) ?? -1;
  }

  number(text: string): number {
    const guess = this.#last < 0 ? -1 : (this.#followers[this.#last] as number);
    if (guess >= 0 && this.#texts[guess] === text) {
      this.#last = guess;
      return guess;
    }
    const number = this.#lookUp(text);
    if (this.#last >= 0) this.#followers[this.#last] = number;
    this.#last = number;
    return number;
  }

  #lookUp(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    const kept = keptText(text);
    this.#numbers.set(kept, number);
    this.#texts.push(kept);
    if (number === this.#followers.length) {
      const larger = new Int32Array(number * 2).fill(-1);
      larger.set(this.#followers);
      this.#followers = larger;
    }
    return number;
  }
}
