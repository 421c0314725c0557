/** A seat keeper that remembers what it was told, and that tests may take away or let fail after its effect. */
import type { HoldCall, SeatArrangement, SeatCount, SeatHold, SeatKeeper } from '../../../activities/shared/seating.ts';
import type { OrderId, ReservationId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';

export type SeatState = 'HELD' | 'CONFIRMED' | 'RELEASED';

export class SeatRecorder implements SeatKeeper {
  /** By reservation. */
  readonly states = new Map<ReservationId, SeatState>();
  readonly taken = new Set<string>();
  calls = 0;
  /** The next calls fail: before their effect, or after it. */
  failures: ('before' | 'after')[] = [];

  async hold({ requests, heldAt }: HoldCall): Promise<readonly SeatArrangement[]> {
    this.#begin();
    const wanted = requests.flatMap(({ seat }) => (seat ? [`${seat.carriageNumber}/${seat.seatNumber}`] : []));
    if (wanted.some((seat) => this.taken.has(seat))) throw new ServiceError('SEAT_UNAVAILABLE', 'The seat is taken.');
    const held = requests.flatMap(({ orderLineId, stretch, seat, places }) =>
      places.map(({ reservationId, travellerId }): SeatArrangement => {
        this.states.set(reservationId, 'HELD');
        return {
          arrangementId: reservationId,
          reservationId,
          orderLineId,
          travellerId,
          stretch,
          carriageNumber: seat?.carriageNumber ?? '1',
          seatNumber: seat?.seatNumber ?? '1',
          seatingProperties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [] },
          status: 'HELD',
          heldAt,
          attempt: 'the-only',
        };
      }),
    );
    this.#end();
    return held;
  }

  async show(): Promise<void> {
    this.calls += 1;
  }

  async confirm(_orderId: OrderId, ids: readonly ReservationId[]): Promise<void> {
    this.#set(ids, 'CONFIRMED');
  }

  async release(_orderId: OrderId, ids: readonly ReservationId[]): Promise<void> {
    this.#set(ids, 'RELEASED');
  }

  async giveBack(_orderId: OrderId, holds: readonly SeatHold[]): Promise<void> {
    this.#set(
      holds.map(({ reservationId }) => reservationId),
      'RELEASED',
    );
  }

  async count(): Promise<SeatCount> {
    return { free: 1, total: 1 };
  }

  async sweep(): Promise<void> {
    this.calls += 1;
  }

  #set(ids: readonly ReservationId[], state: SeatState): void {
    this.#begin();
    // As the real one: a seat that was given up is not taken back.
    const isLost = state === 'CONFIRMED' && ids.some((id) => this.states.get(id) === 'RELEASED');
    if (isLost) throw new Error('The seats are no longer held');
    for (const id of ids) this.states.set(id, state);
    this.#end();
  }

  #begin(): void {
    this.calls += 1;
    if (this.failures[0] === 'before') throw this.#fail();
  }

  #end(): void {
    if (this.failures[0] === 'after') throw this.#fail();
  }

  #fail(): Error {
    return new Error(`the seat keeper died ${this.failures.shift()} its effect`);
  }
}
