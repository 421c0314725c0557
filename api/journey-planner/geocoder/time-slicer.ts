/** Divides long work into slices, so that everything else in the process can run between them. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 8;

export class TimeSlicer {
  #begunAt = performance.now();

  /** Cheap, so call it often. True when the caller must {@link rest}. */
  get isOver(): boolean {
    return performance.now() - this.#begunAt > SLICE_MS;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#begunAt = performance.now();
  }
}

const RUN = 512;
const LOOK_EVERY = 256;

/** Returns a new sorted array. A stretch lasts at most a slice and a few comparisons. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
  slicer: TimeSlicer,
): Promise<Item[]> {
  let from: Item[] = [];
  for (let at = 0; at < items.length; at += RUN) {
    from.push(...items.slice(at, at + RUN).sort(compare));
    if (slicer.isOver) await slicer.rest();
  }
  for (let width = RUN; width < from.length; width *= 2) {
    const to: Item[] = [];
    for (let begin = 0; begin < from.length; begin += 2 * width) {
      const middle = Math.min(begin + width, from.length);
      const end = Math.min(begin + 2 * width, from.length);
      let left = begin;
      let right = middle;
      while (left < middle || right < end) {
        const takeLeft = right >= end || (left < middle && compare(from[left] as Item, from[right] as Item) <= 0);
        to.push(from[takeLeft ? left++ : right++] as Item);
        if (to.length % LOOK_EVERY === 0 && slicer.isOver) await slicer.rest();
      }
    }
    from = to;
  }
  return from;
}
