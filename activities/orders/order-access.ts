/** Orders as other areas see them. Provided by the manifest. */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { Order, Reservation } from '../../workflows/orders/rules/order.ts';
import { updateReservation } from '../../workflows/orders/rules/reservations.ts';
import { keptReservations } from '../../workflows/orders/rules/seat-effects.ts';
import { assertSoldFacilities, givenFacilities } from '../../workflows/orders/rules/sold-facilities.ts';
import type { OrderId, OrganisationId, ReservationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Fares } from '../shared/fares.ts';
import type { ChosenSeat, OrderAccess, OrderWork } from '../shared/orders.ts';
import type { SeatArrangement, SeatKeeper, SeatRequest } from '../shared/seating.ts';
import type { OrderStore } from './order-store.ts';

/** A hold without an order's write is released by the seat keeper soon after; a write that comes too late is refused. */
const WRITTEN_WITHIN_MS = 60_000;

export interface OrderAccessOptions {
  readonly orders: OrderStore;
  readonly seats: () => Pick<SeatKeeper, 'hold' | 'giveBack' | 'show'>;
  /** Asked for when a seat is moved: not every process that reads orders has them. */
  readonly fares: () => { current(): Promise<Pick<Fares, 'products'>> };
  readonly now?: () => Date;
}

export class OrderAccessor implements OrderAccess {
  readonly #options: OrderAccessOptions;
  readonly #now: () => Date;

  constructor(options: OrderAccessOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  async get(organisationId: OrganisationId | 'ANY', orderId: OrderId): Promise<Order> {
    return (await this.#options.orders.get(organisationId, orderId)).order;
  }

  async listReserved(orderId: OrderId): Promise<ReadonlySet<ReservationId>> {
    const found = await this.#options.orders.find('ANY', orderId);
    return found ? keptReservations(found.order) : new Set();
  }

  async moveSeat(
    organisationId: OrganisationId | 'ANY',
    orderId: OrderId,
    reservationId: ReservationId,
    seat: ChosenSeat,
    work: OrderWork,
  ): Promise<Order> {
    const order = await this.get(organisationId, orderId);
    const newId = workItemId(work.workId, `seat/${reservationId}`) as ReservationId;
    const earlier = order.reservations.find(({ id }) => id === reservationId);
    const isThere = earlier?.carriageNumber === seat.carriageNumber && earlier.seatNumber === seat.seatNumber;
    // An earlier attempt may have died before it was shown.
    if (isThere || (await this.#options.orders.isDone(organisationId, orderId, work)))
      return await this.#shown(order, [reservationId, newId]);
    if (!earlier) throw movedMeanwhile();
    const heldAt = this.#now();
    const request = requestOf(order, earlier, { seat, newId });
    const hold = { organisationId: order.organisationId, orderId, workId: work.workId, heldAt, requests: [request] };
    const [held] = await this.#options.seats().hold(hold);
    if (!held) throw new Error('The seat keeper has answered no seat');
    const moved = await this.#write(order, { reservationId, replacement: replacementOf(earlier, held), held }, work);
    return await this.#shown(moved, [newId]);
  }

  async #shown(order: Order, ids: readonly ReservationId[]): Promise<Order> {
    const own = order.reservations.filter(({ id }) => ids.includes(id));
    await this.#options.seats().show(
      order.id,
      own.map(({ id }) => id),
    );
    return order;
  }

  async #write(
    { organisationId, id }: Order,
    {
      held,
      ...moved
    }: { readonly reservationId: ReservationId; readonly replacement: Reservation; readonly held: SeatArrangement },
    work: OrderWork,
  ): Promise<Order> {
    const { products } = await this.#options.fares().current();
    try {
      const { order } = await this.#options.orders.change(organisationId, id, work, (before, now) => {
        if (now.getTime() - held.heldAt.getTime() > WRITTEN_WITHIN_MS) throw tooLate();
        if (!before.reservations.some(({ id }) => id === moved.reservationId)) throw movedMeanwhile();
        assertSoldFacilities(before, moved, products);
        return updateReservation(before, moved, now);
      });
      return order;
    } catch (error) {
      // After any other error it is unknown whether the order was written: the seat keeper asks for its reservations.
      if (error instanceof ServiceError) await this.#options.seats().giveBack(id, [held]);
      throw error;
    }
  }
}

function requestOf(
  { orderLines }: Order,
  { id: replaces, orderLineId, travellerId, legId, seatingProperties }: Reservation,
  { seat, newId }: { readonly seat: ChosenSeat; readonly newId: ReservationId },
): SeatRequest {
  const line = orderLines.find(({ id }) => id === orderLineId);
  const leg = line?.travelSpecification.legs.find((each) => each.legId === legId);
  if (!leg) throw new ServiceError('INVALID_STATE', 'The ride of the seat is unknown.');
  const { fareClass, accommodationFacility } = seatingProperties;
  return {
    orderLineId,
    stretch: { ...leg, departure: leg.expectedStartTime },
    wish: { fareClass, accommodation: accommodationFacility, facilities: [] },
    wholeCompartment: false,
    seat,
    replaces,
    places: [{ reservationId: newId, travellerId }],
  };
}

function replacementOf(earlier: Reservation, held: SeatArrangement): Reservation {
  const { compartmentNumber: _compartment, ...rest } = earlier;
  const { reservationId, carriageNumber, seatNumber, compartmentNumber, seatingProperties } = held;
  return {
    ...rest,
    id: reservationId,
    carriageNumber,
    seatNumber,
    ...(compartmentNumber !== undefined && { compartmentNumber }),
    seatingProperties,
    givenFacilities: givenFacilities(earlier),
  };
}

function movedMeanwhile(): ServiceError {
  const detail = 'The order does not have this seat any more. Read the seating arrangement again.';
  return new ServiceError('INVALID_STATE', detail);
}

function tooLate(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Moving the seat took too long; try again.', {
    headers: { 'retry-after': '1' },
  });
}
