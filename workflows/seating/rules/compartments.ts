/** Compartments that are sold whole. Pure. */
import type { Carriage, Seat } from '../../shared/seats.ts';
import type { ChosenSeats, Party } from './party.ts';
import { isFree, type SeatStretch, suits, type TakenCarriages, type WishedSeat } from './seat-fit.ts';

interface Compartment {
  readonly carriageNumber: string;
  readonly seats: readonly Seat[];
}

/**
 * The compartment with fewest places of those with room for the party, free whole on its stretch: larger ones are left for
 * larger parties. `pick` chooses among equally large ones.
 */
export function chooseCompartment(
  carriages: readonly Carriage[],
  taken: TakenCarriages,
  { stretch, wish, places }: Party,
  pick: (count: number) => number,
): ChosenSeats | undefined {
  const free = carriages
    .flatMap(compartmentsOf)
    .filter((each) => isWholeFree(each, taken, stretch) && placesIn(each, wish) >= places);
  const fewest = Math.min(...free.map((each) => placesIn(each, wish)));
  const fitting = free.filter((each) => placesIn(each, wish) === fewest);
  const size = Math.min(...fitting.map(({ seats }) => seats.length));
  const smallest = fitting.filter(({ seats }) => seats.length === size);
  const chosen = smallest[pick(smallest.length)];
  if (!chosen) return undefined;
  const own = chosen.seats.filter((seat) => suits(seat, wish)).slice(0, places);
  const located = (seat: Seat) => ({ carriageNumber: chosen.carriageNumber, seat });
  return { seats: own.map(located), closed: chosen.seats.filter((seat) => !own.includes(seat)).map(located) };
}

/** Places that suit the wish in each compartment that is free whole, the largest first. */
export function freeCompartments(
  carriages: readonly Carriage[],
  taken: TakenCarriages,
  { stretch, wish }: Pick<Party, 'stretch' | 'wish'>,
): readonly number[] {
  const free = carriages.flatMap(compartmentsOf).filter((each) => isWholeFree(each, taken, stretch));
  const places = free.map((each) => placesIn(each, wish)).filter((count) => count > 0);
  return places.toSorted((a, b) => b - a);
}

function isWholeFree({ carriageNumber, seats }: Compartment, taken: TakenCarriages, stretch: SeatStretch): boolean {
  return seats.every(({ seatNumber }) => isFree(taken.get(carriageNumber)?.get(seatNumber) ?? [], stretch));
}

function placesIn({ seats }: Compartment, wish: WishedSeat): number {
  return seats.filter((seat) => suits(seat, wish)).length;
}

function compartmentsOf({ carriageNumber, seats }: Carriage): readonly Compartment[] {
  const byNumber = new Map<string, Seat[]>();
  for (const seat of seats) {
    if (seat.compartmentNumber === undefined) continue;
    const others = byNumber.get(seat.compartmentNumber);
    if (others) others.push(seat);
    else byNumber.set(seat.compartmentNumber, [seat]);
  }
  return [...byNumber.values()].map((each) => ({ carriageNumber, seats: each }));
}
