/** A party that wants seats, and the seats that were chosen for it. Types only. */
import type { Seat } from '../../shared/seats.ts';
import type { SeatStretch, WishedSeat } from './seat-fit.ts';

export interface SeatOf {
  readonly carriageNumber: string;
  readonly seat: Seat;
}

export interface Party {
  readonly stretch: SeatStretch;
  readonly wish: WishedSeat;
  /** Number of seats. */
  readonly places: number;
  readonly wholeCompartment: boolean;
  /** This seat and no other; for one place. */
  readonly seat?: { readonly carriageNumber: string; readonly seatNumber: string };
}

export interface ChosenSeats {
  /** As many as the party has places. */
  readonly seats: readonly SeatOf[];
  /** Further seats of the party's compartment, which nobody else may have. */
  readonly closed: readonly SeatOf[];
}
