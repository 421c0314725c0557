/**
 * Holding and selling seats. A seat is sold per stretch of a dated journey: two bookings may share it when their
 * stretches do not overlap. Provided by the seating area. Types, and the key of the interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { Accommodation, FareClass } from '../../workflows/shared/fares.ts';
import type { OrderId, OrderLineId, OrganisationId, ReservationId, TravellerId } from '../../workflows/shared/ids.ts';
import type { SeatingProperties } from '../../workflows/shared/seats.ts';

/** [fromPosition, toPosition) of the journey's calls. */
export interface Stretch {
  readonly datedServiceJourneyId: string;
  readonly serviceJourneyId: string;
  readonly lineId: string;
  readonly fromStopPlaceId: string;
  readonly toStopPlaceId: string;
  readonly fromPosition: number;
  readonly toPosition: number;
  /** Planned departure at `fromStopPlaceId`. */
  readonly departure: Date;
}

/** What seats are found by. */
export type StretchOfJourney = Pick<
  Stretch,
  'datedServiceJourneyId' | 'serviceJourneyId' | 'lineId' | 'fromPosition' | 'toPosition'
>;

export interface SeatWish {
  readonly fareClass?: FareClass;
  readonly accommodation: Accommodation;
  /** What the seats must have, as `WINDOW` or `POWER_SOCKET`. */
  readonly facilities: readonly string[];
}

/** Seats of the travellers of one order line on one ride. They are put close together where that is possible. */
export interface SeatRequest {
  readonly orderLineId: OrderLineId;
  readonly stretch: Stretch;
  readonly wish: SeatWish;
  /** Told when there are too few seats: the supplements that ask for what the seats must have. */
  readonly supplementIds?: readonly string[];
  /** The seats are in one compartment that is sold to nobody else. */
  readonly wholeCompartment: boolean;
  /** This seat and no other; for one place. */
  readonly seat?: { readonly carriageNumber: string; readonly seatNumber: string };
  /**
   * The reservation of the same traveller whose seat this one is to replace. Its arrangement keeps its id and shows this
   * seat, until this one is released.
   */
  readonly replaces?: ReservationId;
  /** One seat for each; the ids are made by the caller, so that a repeat holds the same. */
  readonly places: readonly { readonly reservationId: ReservationId; readonly travellerId: TravellerId }[];
}

export interface HoldCall {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  /** Of the request that holds. A repeat with the same id finds its holds. */
  readonly workId: string;
  /** Until the order is written with these reservations, a hold ends 2 minutes after its call. */
  readonly heldAt: Date;
  /** Asked before seats are taken, which may have to wait for other callers. Throws when the caller waits no more. */
  readonly mayHold?: () => void;
  readonly requests: readonly SeatRequest[];
}

export type ArrangementStatus = 'HELD' | 'CONFIRMED' | 'RELEASED';

/** A seat of one traveller on one ride. */
export interface SeatArrangement {
  /** That of the first of the reservations that replaced one another. */
  readonly arrangementId: ReservationId;
  readonly reservationId: ReservationId;
  readonly orderLineId: OrderLineId;
  readonly travellerId: TravellerId;
  readonly stretch: Stretch;
  readonly carriageNumber: string;
  readonly seatNumber: string;
  readonly compartmentNumber?: string;
  readonly seatingProperties: SeatingProperties;
  readonly status: ArrangementStatus;
  /** Of the attempt that has held it: a repeat of the request that finds it has no new time. */
  readonly heldAt: Date;
  /** Names the hold when it is given back. */
  readonly attempt: string;
}

/** A seat as one attempt of a request has held it. */
export type SeatHold = Pick<SeatArrangement, 'reservationId' | 'attempt'>;

export interface SeatCount {
  /** Of whole compartments the places of the largest. */
  readonly free: number;
  readonly total: number;
  /** Where whole compartments are counted: the places of each that is free whole, the largest first. */
  readonly compartments?: readonly number[];
}

export interface SeatKeeper {
  /**
   * All or nothing: throws SEAT_UNAVAILABLE (409) after the holds of this call are released. An answer has the requests'
   * places in their order.
   */
  hold(call: HoldCall): Promise<readonly SeatArrangement[]>;
  /** The order was written with them: arrangements show them instead of the seats that they replace. Repeatable. */
  show(orderId: OrderId, reservationIds: readonly ReservationId[]): Promise<void>;
  /** Seats of a written order are firm, whatever becomes of its expiry. Repeatable. */
  confirm(orderId: OrderId, reservationIds: readonly ReservationId[]): Promise<void>;
  /**
   * Frees what a call has held, whose order will not be written. What a repeat of the call has joined, taken over or
   * confirmed stays: the sweep finds out whether its order has it. Repeatable.
   */
  giveBack(orderId: OrderId, holds: readonly SeatHold[]): Promise<void>;
  /** Frees seats that an order has given up, held or sold. Repeatable. */
  release(orderId: OrderId, reservationIds: readonly ReservationId[]): Promise<void>;
  /**
   * Free places of a kind on a stretch, for offers. With `wholeCompartment` those of the compartments that are free whole.
   */
  count(stretch: StretchOfJourney, wish: SeatWish, wholeCompartment?: boolean): Promise<SeatCount>;
  /** Releases holds whose order was never written. Called every few seconds by a worker of sales. */
  sweep(): Promise<void>;
}

export const SEATING = interfaceKey<SeatKeeper>('seating');
