/** A value that is read once and kept. A failed read is not kept, so the next caller reads again. */
export class KeptPromise<Value> {
  readonly #read: () => Promise<Value>;
  #kept: Promise<Value> | undefined;

  constructor(read: () => Promise<Value>) {
    this.#read = read;
  }

  async get(): Promise<Value> {
    const kept = this.#kept ?? this.#read();
    this.#kept = kept;
    try {
      return await kept;
    } catch (error) {
      if (this.#kept === kept) this.#kept = undefined;
      throw error;
    }
  }
}
