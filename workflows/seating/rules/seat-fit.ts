/** Which seats suit a wish, and how well a free seat fits a stretch. Pure. */
import type { Accommodation, FareClass } from '../../shared/fares.ts';
import type { Carriage, Seat } from '../../shared/seats.ts';

/** Calls of a journey, by position: [from, to). */
export interface SeatStretch {
  readonly from: number;
  readonly to: number;
}

export interface WishedSeat {
  readonly fareClass?: FareClass;
  readonly accommodation: Accommodation;
  /** What the seat must have; positions and directions count as well. */
  readonly facilities: readonly string[];
}

/** The stretches that are sold or held, by seat number, of one carriage. */
export type TakenSeats = ReadonlyMap<string, readonly SeatStretch[]>;
/** By carriage number. */
export type TakenCarriages = ReadonlyMap<string, TakenSeats>;

export interface FreeSeat {
  readonly seat: Seat;
  /** Position in the carriage: seats of a plan are listed as they stand. */
  readonly at: number;
  /** Calls that stay unsold around the stretch until the next sold one. 0 fits exactly between two sold stretches. */
  readonly slack: number;
}

/** For an end without a sold stretch: longer than any journey. A seat that nobody has bought yet has two of them. */
export const OPEN_END = 1_000;

export function suits({ properties }: Seat, { fareClass, accommodation, facilities }: WishedSeat): boolean {
  if (properties.accommodationFacility !== accommodation) return false;
  if (fareClass !== undefined && properties.fareClass !== fareClass) return false;
  const has = new Set<string | undefined>([...properties.facilities, properties.position, properties.facing]);
  return facilities.every((facility) => has.has(facility));
}

export function isFree(taken: readonly SeatStretch[], { from, to }: SeatStretch): boolean {
  return taken.every((other) => other.to <= from || other.from >= to);
}

export function slackOf(taken: readonly SeatStretch[], { from, to }: SeatStretch): number {
  const before = taken.filter((other) => other.to <= from).map((other) => from - other.to);
  const after = taken.filter((other) => other.from >= to).map((other) => other.from - to);
  return Math.min(OPEN_END, ...before) + Math.min(OPEN_END, ...after);
}

/** Those that suit the wish, as they stand. */
export function freeSeats(
  { carriageNumber, seats }: Carriage,
  taken: TakenCarriages,
  stretch: SeatStretch,
  wish: WishedSeat,
): readonly FreeSeat[] {
  return seats.flatMap((seat, at) => {
    const stretches = taken.get(carriageNumber)?.get(seat.seatNumber) ?? [];
    if (!suits(seat, wish) || !isFree(stretches, stretch)) return [];
    return [{ seat, at, slack: slackOf(stretches, stretch) }];
  });
}
