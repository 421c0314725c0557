/**
 * Repeatable chance for the demo region: the same seed gives the same sequence on every machine.
 * Callers: the modules of dev/demo. Never used where unpredictability matters.
 */
export interface Random {
  /** In [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  /** Both ends included. */
  integer(low: number, high: number): number;
  pick<Item>(list: readonly Item[]): Item;
  chance(probability: number): boolean;
}

/** FNV-1a: spreads any text over 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The generator known as mulberry32: one 32-bit state, good enough to draw maps with. */
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

/** The item at an index that must exist; negative counts from the end. */
export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list.at(index);
  if (item === undefined) throw new Error(`There is no item ${index} in a list of ${list.length}`);
  return item;
}
