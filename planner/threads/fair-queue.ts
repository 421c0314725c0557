/**
 * A queue that serves its callers in rotation. A caller with hundreds of items delays each other caller by one item at
 * a time. Items of one caller keep their order. Caller: `create-trip-planner.ts`.
 */
export class FairQueue<Item> {
  /** No list is empty. The first list belongs to the next caller. */
  readonly #lists = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(caller: string, item: Item): void {
    const list = this.#lists.get(caller);
    if (list) list.add(item);
    else this.#lists.set(caller, new Set([item]));
    this.#size += 1;
  }

  /** Takes the next item; undefined when none waits. */
  take(): Item | undefined {
    for (const [caller, list] of this.#lists) {
      for (const item of list) {
        this.delete(caller, item);
        // Re-insert the list, so that this caller's next turn comes after all others.
        if (this.#lists.delete(caller)) this.#lists.set(caller, list);
        return item;
      }
    }
    return undefined;
  }

  delete(caller: string, item: Item): void {
    const list = this.#lists.get(caller);
    if (!list?.delete(item)) return;
    this.#size -= 1;
    if (list.size === 0) this.#lists.delete(caller);
  }

  /** The newest item of the caller with the most, if it has more than the given caller would have with one more. */
  findToDrop(caller: string): Item | undefined {
    let most: ReadonlySet<Item> | undefined;
    for (const list of this.#lists.values()) if (list.size > (most?.size ?? 0)) most = list;
    const own = this.#lists.get(caller)?.size ?? 0;
    return most && most.size > own + 1 ? [...most].at(-1) : undefined;
  }

  items(): readonly Item[] {
    return [...this.#lists.values()].flatMap((list) => [...list]);
  }
}
