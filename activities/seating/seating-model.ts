/** The documents of the seating area. */
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { OrderId, OrderLineId, OrganisationId, ReservationId, TravellerId } from '../../workflows/shared/ids.ts';
import type { SeatingProperties } from '../../workflows/shared/seats.ts';
import type { ArrangementStatus, Stretch } from '../shared/seating.ts';

/** A seat that is held or sold on [from, to) of the journey's calls. */
export interface TakenStretch {
  readonly seatNumber: string;
  readonly from: number;
  readonly to: number;
  /** The seat is free again when none is left. Several hold each seat of a compartment that is sold whole. */
  readonly holders: readonly ReservationId[];
  /** The attempt to hold that wrote it. */
  readonly attempt: string;
  /** Stop places of both calls, by which it is found in other calls of the run. */
  readonly fromStop: string;
  readonly toStop: string;
}

/**
 * One carriage of a run: a journey on one day. No two of its stretches of one seat overlap: each write that adds some requires
 * that of the document that it changes. Bounded by its seats and the calls of its journey.
 */
export interface CarriageDocument {
  /** {@link carriageId} */
  readonly _id: string;
  readonly runId: string;
  readonly carriageNumber: string;
  /** Of the run's calls that the stretches count; see SeatedRun. */
  readonly callsHash: string;
  readonly stretches: readonly TakenStretch[];
  /** Some days after the last departure that was asked for. */
  readonly removeAt: Date;
}

export interface ArrangementSeat {
  readonly carriageNumber: string;
  readonly seatNumber: string;
  readonly compartmentNumber?: string;
  readonly seatingProperties: SeatingProperties;
}

/** PENDING: written before its seat is held, so that a crash leaves no seat that nothing knows of. Never shown. */
export type StoredStatus = 'PENDING' | ArrangementStatus;

/** Of one reservation, kept for searches after the journey. The carriages say which seats are free. */
export interface ArrangementDocument extends Stretch, Partial<ArrangementSeat> {
  readonly _id: ReservationId;
  /** What callers name it by: stays when its traveller moves to another seat, which is another reservation. */
  readonly arrangementId: ReservationId;
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly orderLineId: OrderLineId;
  readonly travellerId: TravellerId;
  /** That of its carriage. */
  readonly runId: string;
  readonly status: StoredStatus;
  readonly attempt: string;
  /** A later attempt of the same request counts on this seat: its own attempt gives it back no more. */
  readonly isJoined?: true;
  readonly heldAt: Date;
  /** Until then the order must have been written with it. Absent once that is known. */
  readonly checkAt?: Date;
  /** The reservation whose seat is given up for this one. */
  readonly replaces?: ReservationId;
  /**
   * The reservation that is shown instead. Of two that replace one another, the old one is shown until the order has the
   * new one, and again when the order has given that up.
   */
  readonly replacedBy?: ReservationId;
}

export const CARRIAGES = new CollectionDefinition<CarriageDocument>('seating_carriages', [
  { name: 'run', key: { runId: 1 } },
  { name: 'removeAt', key: { removeAt: 1 }, expireAfterSeconds: 0 },
]);

export const ID_INDEX = 'organisation_and_id';
export const ARRANGEMENT_INDEX = 'of_arrangement_and_status';

/** Callers search by indexes that begin with the organisation: an id of another costs what an absent one costs. */
export const ARRANGEMENTS = new CollectionDefinition<ArrangementDocument>('seating_arrangements', [
  { name: ID_INDEX, key: { organisationId: 1, _id: 1 } },
  { name: ARRANGEMENT_INDEX, key: { organisationId: 1, arrangementId: 1, status: 1, heldAt: -1 } },
  { name: 'of_order', key: { organisationId: 1, orderId: 1, heldAt: -1, _id: 1 } },
  { name: 'of_order_line', key: { organisationId: 1, orderLineId: 1, heldAt: -1, _id: 1 } },
  { name: 'of_journey', key: { organisationId: 1, datedServiceJourneyId: 1, heldAt: -1, _id: 1 } },
  { name: 'organisation', key: { organisationId: 1, heldAt: -1, _id: 1 } },
  { name: 'checkAt', key: { checkAt: 1 }, partialFilterExpression: { checkAt: { $exists: true } } },
]);

/** Numbers of carriages have no slash. */
export function carriageId(runId: string, carriageNumber: string): string {
  return `${runId}/${carriageNumber}`;
}

/** Each once. */
export function runsOf(arrangements: readonly ArrangementDocument[]): readonly string[] {
  return [...new Set(arrangements.map(({ runId }) => runId))];
}
