/**
 * Shares reads among callers who ask at once, and never answers with a read that began before the call: a caller that asks while
 * one runs gets the next. So many concurrent callers cost two reads. Callers: the catalogue store, the timetable's reader.
 */
export class FreshRead<T> {
  readonly #read: () => Promise<T>;
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  get(): Promise<T> {
    if (!this.#running) return this.#start();
    const startNext = () => {
      this.#next = undefined;
      return this.#start();
    };
    // A failure is that of the callers of that read alone.
    this.#next ??= this.#running.then(startNext, startNext);
    return this.#next;
  }

  #start(): Promise<T> {
    const running = this.#read().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
