/** Lets the handlers of one workflow take turns. In memory: it orders, it does not guard what other processes do. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `task` when every earlier one has ended, however it ended. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return await turn;
  }
}
