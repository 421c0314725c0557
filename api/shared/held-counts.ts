/**
 * How many of something each holder has at the moment, with a limit for each. Callers: the limits of connections, open
 * requests, waiting event readers and downloads. Keeps nothing of a holder without any.
 */
export class HeldCounts {
  readonly #limit: number;
  readonly #held = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False at the limit. Call {@link release} once for each true. */
  take(holder: string): boolean {
    const held = this.#held.get(holder) ?? 0;
    if (held >= this.#limit) return false;
    this.#held.set(holder, held + 1);
    return true;
  }

  release(holder: string): void {
    const left = (this.#held.get(holder) ?? 1) - 1;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
  }
}
