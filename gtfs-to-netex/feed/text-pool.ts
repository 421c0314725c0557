/** Stores texts that many rows share once, under a number. Callers: readers of trips and stop times. */
export class TextPool {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  /** −1 for no text. */
  add(text: string): number {
    if (text === '') return -1;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    // A slice would keep the file's whole chunk in memory.
    const own = Buffer.from(text).toString();
    this.#numbers.set(own, this.#texts.length);
    return this.#texts.push(own) - 1;
  }

  get(number: number): string {
    return this.#texts[number] ?? '';
  }

  get size(): number {
    return this.#texts.length;
  }
}
