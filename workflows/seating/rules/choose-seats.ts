/**
 * Chooses seats for a party: close together, and where they leave the longest stretches of other seats unsold. Pure, but
 * for the choice among equally good ones that the caller may leave to chance.
 */
import type { Carriage } from '../../shared/seats.ts';
import { chooseCompartment } from './compartments.ts';
import type { ChosenSeats, Party, SeatOf } from './party.ts';
import { type FreeSeat, freeSeats, isFree, type SeatStretch, suits, type TakenCarriages } from './seat-fit.ts';

/** Chooses one of the best `among`. Callers that lost the best to others at the same time choose among more. */
export interface Chance {
  readonly among: number;
  /** [0, 1) */
  readonly random: () => number;
}

const BEST: Chance = { among: 1, random: () => 0 };

/** Undefined when there are too few seats. */
export function chooseSeats(
  carriages: readonly Carriage[],
  taken: TakenCarriages,
  party: Party,
  chance: Chance = BEST,
): ChosenSeats | undefined {
  if (party.seat) return chooseNamed(carriages, taken, party, party.seat);
  if (party.wholeCompartment) return chooseCompartment(carriages, taken, party, (count) => pick(count, chance));
  const free = carriages.map((carriage) => ({
    carriage,
    seats: freeSeats(carriage, taken, party.stretch, party.wish),
    emptyCompartments: emptyCompartments(carriage, taken, party.stretch),
  }));
  const groups = free.flatMap((each) => groupsOf(each, party.places)).sort(byScore);
  const chosen = groups[pick(groups.length, chance)];
  if (chosen) return { seats: chosen.seats, closed: [] };
  return spread(free, party.places);
}

function chooseNamed(
  carriages: readonly Carriage[],
  taken: TakenCarriages,
  { stretch, wish }: Party,
  { carriageNumber, seatNumber }: NonNullable<Party['seat']>,
): ChosenSeats | undefined {
  const carriage = carriages.find((each) => each.carriageNumber === carriageNumber);
  const seat = carriage?.seats.find((each) => each.seatNumber === seatNumber);
  if (!seat || !suits(seat, wish)) return undefined;
  if (!isFree(taken.get(carriageNumber)?.get(seatNumber) ?? [], stretch)) return undefined;
  return { seats: [{ carriageNumber, seat }], closed: [] };
}

interface FreeCarriage {
  readonly carriage: Carriage;
  readonly seats: readonly FreeSeat[];
  readonly emptyCompartments: ReadonlySet<string>;
}

interface Group {
  readonly seats: readonly SeatOf[];
  /** The lower the better, the first member first. */
  readonly score: readonly number[];
}

/** Each group of seats that follow one another, but for seats that are taken or do not suit. */
function groupsOf({ carriage, seats, emptyCompartments: empty }: FreeCarriage, places: number): readonly Group[] {
  return seats.slice(0, Math.max(seats.length - places + 1, 0)).map((first, at) => {
    const group = seats.slice(at, at + places);
    const last = group.at(-1) as FreeSeat;
    const compartments = new Set(group.map(({ seat }) => seat.compartmentNumber ?? ''));
    // A compartment that nobody has a seat in can still be sold whole.
    const opened = [...compartments].filter((number) => empty.has(number)).length;
    const slack = group.reduce((sum, each) => sum + each.slack, 0);
    return {
      seats: group.map(({ seat }) => ({ carriageNumber: carriage.carriageNumber, seat })),
      score: [compartments.size, last.at - first.at, opened, slack],
    };
  });
}

/** No carriage has room for all: as many as possible in each. */
function spread(free: readonly FreeCarriage[], places: number): ChosenSeats | undefined {
  const seats: SeatOf[] = [];
  for (const each of [...free].sort((one, other) => other.seats.length - one.seats.length)) {
    const wanted = Math.min(places - seats.length, each.seats.length);
    if (wanted === 0) break;
    seats.push(...([...groupsOf(each, wanted)].sort(byScore)[0]?.seats ?? []));
  }
  return seats.length === places ? { seats, closed: [] } : undefined;
}

function emptyCompartments({ carriageNumber, seats }: Carriage, taken: TakenCarriages, stretch: SeatStretch) {
  const [all, used] = [new Set<string>(), new Set<string>()];
  for (const { seatNumber, compartmentNumber } of seats) {
    if (compartmentNumber === undefined) continue;
    all.add(compartmentNumber);
    if (!isFree(taken.get(carriageNumber)?.get(seatNumber) ?? [], stretch)) used.add(compartmentNumber);
  }
  return new Set([...all].filter((number) => !used.has(number)));
}

/** Stable, so equally good groups stay in the order of the plan. */
function byScore({ score: one }: Group, { score: other }: Group): number {
  const at = one.findIndex((value, position) => value !== other[position]);
  return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
}

function pick(count: number, { among, random }: Chance): number {
  return Math.floor(random() * Math.min(count, among));
}
