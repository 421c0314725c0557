/** Tries every possibility, for tests of what claims to be the cheapest. Slow, and simple enough to be believed. */
import type { PartyTicket } from '../../../workflows/offers/rules/party-split.ts';

export function everySet<T>(items: readonly T[]): T[][] {
  return Array.from({ length: 2 ** items.length }, (_, set) => items.filter((_item, at) => (set >> at) & 1));
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Undefined for none. */
export function lowest(amounts: readonly number[]): number | undefined {
  return amounts.length > 0 ? Math.min(...amounts) : undefined;
}

/** What tickets for parties cost that have exactly this many members, in every division. */
export function partyAmounts(count: number, tickets: readonly PartyTicket[]): readonly number[] {
  if (count === 0) return [0];
  return tickets.flatMap(({ cost, minTravellers, maxTravellers }) =>
    Array.from({ length: maxTravellers - minTravellers + 1 }, (_, at) => minTravellers + at)
      .filter((size) => size <= count)
      .flatMap((size) => partyAmounts(count - size, tickets).map((rest) => rest + cost)),
  );
}
