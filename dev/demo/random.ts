/**
 * Repeatable random numbers for the demo region: the same seed gives the same sequence on every machine. Do not use it
 * where unpredictability matters. Callers: the modules of dev/demo.
 */
export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number;
  between(low: number, high: number): number;
  /** Returns an integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  pick<Item>(list: readonly Item[]): Item;
  chance(probability: number): boolean;
}

/** Hashes a text to 32 bits (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Implements mulberry32: a generator with one 32-bit state, good enough to draw maps. */
export function createRandom(seed: string): Random {
  let state = hashText(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer,
    pick: (list) => at(list, integer(0, list.length - 1)),
    chance: (probability) => next() < probability,
  };
}

/** Returns the item at an index that must exist. A negative index counts from the end. */
export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list.at(index);
  if (item === undefined) throw new Error(`There is no item ${index} in a list of ${list.length}`);
  return item;
}
