/**
 * Hashed ids in a table inside a storage form, looked up by open addressing. A slot has low half, high half and a
 * number from 1 on (0: empty). Callers: the index of ids, the stop register.
 */
export const WORDS_PER_SLOT = 3;
const FILL = 0.6;

/** Number of slots for `ids` ids: a power of two. */
export function slotsFor(ids: number): number {
  let capacity = 16;
  while (capacity * FILL < ids) capacity *= 2;
  return capacity;
}

/** Offset of the id's slot, or of the empty slot for it. */
export function slotOf(slots: Uint32Array, high: number, low: number): number {
  const mask = slots.length / WORDS_PER_SLOT - 1;
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const at = slot * WORDS_PER_SLOT;
    if (slots[at + 2] === 0 || (slots[at] === low && slots[at + 1] === high)) return at;
  }
}

/** The number of an id; 0 when absent. */
export function findNumber(slots: Uint32Array, high: number, low: number): number {
  return slots[slotOf(slots, high, low) + 2] as number;
}
