/** Seat plans, and what a seat is. Types only. */
import type { Accommodation, FareClass } from './fares.ts';

export interface SeatingProperties {
  readonly fareClass: FareClass;
  readonly accommodationFacility: Accommodation;
  readonly position?: 'WINDOW' | 'AISLE' | 'MIDDLE' | 'LOWER' | 'UPPER';
  readonly facing?: 'FORWARD' | 'BACKWARD';
  /** As `POWER_SOCKET`, `TABLE`, `QUIET_ZONE`. */
  readonly facilities: readonly string[];
}

export interface Seat {
  readonly seatNumber: string;
  /** Seats of one compartment may be sold together. */
  readonly compartmentNumber?: string;
  readonly properties: SeatingProperties;
}

export interface Carriage {
  readonly carriageNumber: string;
  readonly seats: readonly Seat[];
}

export interface SeatPlan {
  readonly id: string;
  readonly carriages: readonly Carriage[];
}

export type SeatReservation = 'COMPULSORY' | 'OPTIONAL';

/**
 * Which journeys run with a seat plan. The most specific entry counts: by dated journey, by journey, by line.
 * Exactly one of the lists is given.
 */
export interface Train {
  readonly id: string;
  readonly seatPlanId: string;
  readonly seatReservation: SeatReservation;
  readonly datedServiceJourneyIds?: readonly string[];
  readonly serviceJourneyIds?: readonly string[];
  readonly lineIds?: readonly string[];
}
