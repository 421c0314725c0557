/**
 * What other areas ask of orders. Provided by the orders area. Types, and the key of the interface.
 */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderId, OrganisationId, ReservationId } from '../../workflows/shared/ids.ts';

export interface OrderWork {
  readonly workId: string;
  readonly correlationId: string;
  /** The caller: of the token, or the process that works by itself. */
  readonly clientId: string;
  /** Id of the event that caused this work. */
  readonly causationId?: string;
}

export interface ChosenSeat {
  readonly carriageNumber: string;
  readonly seatNumber: string;
}

export interface OrderAccess {
  /** Throws NOT_FOUND, also for an order of another organisation. `ANY`: of every organisation. */
  get(organisationId: OrganisationId | 'ANY', orderId: OrderId): Promise<Order>;
  /** Reservations of the order's draft and of its confirmed version. Empty when it is unknown. */
  listReserved(orderId: OrderId): Promise<ReadonlySet<ReservationId>>;
  /**
   * Moves one reservation to another seat: holds the new seat, writes the order with `ReservationUpdated`, frees the old
   * one. Throws SEAT_UNAVAILABLE, and what a write of content throws.
   */
  moveSeat(
    organisationId: OrganisationId | 'ANY',
    orderId: OrderId,
    reservationId: ReservationId,
    seat: ChosenSeat,
    work: OrderWork,
  ): Promise<Order>;
}

export const ORDERS = interfaceKey<OrderAccess>('orders');
