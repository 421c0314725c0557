/** A sleep that ends when it is woken, also when it was woken before it began. Caller: the runner of a webhook. */
export class Waker {
  #wake: () => void = () => undefined;
  #isWoken = false;

  /** What happens from here on wakes the next sleep. */
  reset(): void {
    this.#isWoken = false;
  }

  wakeUp(): void {
    this.#isWoken = true;
    this.#wake();
  }

  async sleep(longestMs: number): Promise<void> {
    if (this.#isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
