/**
 * Runs the handlers of one workflow one after the other. In memory: it orders them and guards nothing against other
 * processes.
 */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `task` after every earlier one has ended, also after one that has failed. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return await turn;
  }
}
