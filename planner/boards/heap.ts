/** A binary heap with the least item first. Boards merge the calls of many stops and days with it, in order of time. */
export class Heap<Item> {
  readonly #items: Item[] = [];
  readonly #isBefore: (one: Item, other: Item) => boolean;

  constructor(isBefore: (one: Item, other: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    const items = this.#items;
    let place = items.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = items[above] as Item;
      if (!this.#isBefore(item, parent)) break;
      items[place] = parent;
      place = above;
    }
    items[place] = item;
  }

  pop(): Item | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(last);
    return first;
  }

  /** Must be called when the first item has become greater. */
  settleFirst(): void {
    const first = this.#items[0];
    if (first !== undefined) this.#sink(first);
  }

  #sink(item: Item): void {
    const items = this.#items;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && this.#isBefore(items[below + 1] as Item, items[below] as Item)) below++;
      const child = items[below] as Item;
      if (!this.#isBefore(child, item)) break;
      items[place] = child;
      place = below;
    }
    items[place] = item;
  }
}
