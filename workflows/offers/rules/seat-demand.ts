/**
 * The places that offers take together, ride by ride, and whether so many are free. Pure.
 *
 * Reserving seats narrow wishes first (holding-order.ts). So a kind of seat is safe when it has places for its own
 * travellers and for all who may have been seated on them before.
 */
import { mayShareSeats, rankOf, type SeatKind } from '../../seating/rules/holding-order.ts';

/** What an offer's travellers must have on one ride. */
export interface SeatNeed {
  readonly legId: string;
  readonly kind: SeatKind;
  /** Places; of whole compartments those of the largest. */
  readonly free: number;
  /** The places of each compartment that is free whole, the largest first. Present where compartments are sold. */
  readonly compartments?: readonly number[];
}

/** Travellers who use an offer: a party, or one alone. */
export interface SeatUse {
  readonly needs: readonly SeatNeed[];
  readonly travellers: number;
}

interface Demand {
  readonly need: SeatNeed;
  /** The travellers of each use. */
  readonly sizes: readonly number[];
}

/** Uses that have too few places together. */
export interface SeatShortage {
  readonly need: SeatNeed;
  /** So many of the travellers must do without. */
  readonly excess: number;
}

export function findShortage(uses: readonly SeatUse[]): SeatShortage | undefined {
  const wanted = uses.flatMap(({ needs, travellers }) => needs.map((need) => ({ need, travellers })));
  for (const ofLeg of Map.groupBy(wanted, ({ need }) => need.legId).values()) {
    const byKind = Map.groupBy(ofLeg, ({ need }) => keyOf(need));
    const demands = [...byKind.values()].flatMap((each): Demand[] => {
      const need = each[0]?.need;
      return need ? [{ need, sizes: each.map(({ travellers }) => travellers) }] : [];
    });
    for (const demand of demands) {
      const excess = excessOf(demand, demands);
      if (excess > 0) return { need: demand.need, excess };
    }
  }
  return undefined;
}

/** Uses of both compete for places. */
function competes(one: SeatNeed, other: SeatNeed): boolean {
  return one.legId === other.legId && mayShareSeats(one.kind, other.kind);
}

/** Its uses compete for the wanted places. */
export function needsAny({ needs }: Pick<SeatUse, 'needs'>, wanted: SeatNeed): boolean {
  return needs.some((need) => competes(need, wanted));
}

/** Of all rides of an offer together: equal ones share their places. */
export function keyOf({ legId, kind: { wish, wholeCompartment } }: SeatNeed): string {
  const { accommodation, fareClass, facilities } = wish;
  return JSON.stringify([legId, accommodation, fareClass, facilities.toSorted(), wholeCompartment]);
}

/** On the ride that has fewest. */
export function placesFor(needs: readonly SeatNeed[]): number | undefined {
  return needs.length > 0 ? Math.min(...needs.map(({ free }) => free)) : undefined;
}

/** A compartment on each ride, the largest first; undefined where none are sold. */
export function compartmentsFor(needs: readonly SeatNeed[]): readonly number[] | undefined {
  const lists = needs.flatMap(({ compartments }) => (compartments ? [compartments] : []));
  const [first] = lists;
  return first?.map((_, at) => Math.min(...lists.map((list) => list[at] ?? 0))).filter((places) => places > 0);
}

function excessOf(demand: Demand, all: readonly Demand[]): number {
  const { need, sizes } = demand;
  const before = all.filter(
    (other) => other !== demand && competes(need, other.need) && rankOf(other.need.kind) >= rankOf(need.kind),
  );
  if (need.compartments) {
    // Whichever the others get.
    const left = need.compartments.slice(sum(before.map((other) => other.sizes.length)));
    return sum(sizes.toSorted((a, b) => b - a).map((size, at) => (size <= (left[at] ?? 0) ? 0 : size)));
  }
  return sum(sizes) + sum(before.map(mostTaken)) - need.free;
}

/** A party closes its whole compartment. */
function mostTaken({ need: { compartments, kind }, sizes }: Demand): number {
  if (!compartments) return sum(sizes);
  // The places that suit a wish for more do not tell how many the compartment has.
  if (kind.wish.facilities.length > 0) return Number.POSITIVE_INFINITY;
  return sum(compartments.slice(0, sizes.length));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
