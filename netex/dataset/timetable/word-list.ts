/** 32-bit words that come one at a time, in one typed array. */
export class WordList {
  #words = new Uint32Array(64);
  #size = 0;

  add(word: number): void {
    if (this.#size === this.#words.length) {
      const larger = new Uint32Array(this.#words.length * 2);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.#size++] = word;
  }

  build(): Uint8Array {
    return new Uint8Array(this.#words.buffer, 0, this.#size * 4);
  }
}
