/**
 * In which order the parties of one call get their seats: those with a narrow wish before those that many seats suit. Pure.
 * Holding seats follows it, and a recommendation of several kinds of seats relies on it.
 */
import type { Party } from './party.ts';

export type SeatKind = Pick<Party, 'wish' | 'wholeCompartment'>;

/** A higher one is seated earlier. */
export function rankOf({ wish, wholeCompartment }: SeatKind): number {
  const narrowness = wish.facilities.length + (wish.fareClass === undefined ? 0 : 1);
  return wholeCompartment ? 1_000 : narrowness;
}

/** A seat may suit both. */
export function mayShareSeats({ wish: one }: SeatKind, { wish: other }: SeatKind): boolean {
  if (one.accommodation !== other.accommodation) return false;
  return one.fareClass === undefined || other.fareClass === undefined || one.fareClass === other.fareClass;
}
