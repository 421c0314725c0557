/**
 * Looks at the size of the process while a file is validated, and says when the file has taken it to its limit. Most
 * memory of a file is outside of the thread's heap, which has a limit of its own. It is the file itself, packed
 * numbers, and the memory of the schemas.
 *
 * Caller: ValidationThread. Blames no file for what was there before it: not for schemas either, which are loaded with
 * the watch paused.
 */

/** Memory grows by some 50 MB meanwhile. A look takes microseconds. */
const LOOK_MS = 50;
/** A file that takes less is not the one that fills the process. */
const BLAMELESS_BYTES = 64 * 1024 * 1024;

export class MemoryWatch {
  readonly #limitBytes: number;
  readonly #onReached: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitBytes: number, onReached: () => void) {
    this.#limitBytes = limitBytes;
    this.#onReached = onReached;
  }

  resume(): void {
    this.stop();
    const mostBytes = Math.max(this.#limitBytes, process.memoryUsage.rss() + BLAMELESS_BYTES);
    this.#timer = setInterval(() => {
      if (process.memoryUsage.rss() > mostBytes) this.#onReached();
    }, LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
