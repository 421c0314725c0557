/**
 * Holds seats and writes the order that has them. What is refused gives the seats back, and so does what takes too long
 * before the write, unless its caller may join it. What fails in another way leaves them to the sweep of holds, which asks
 * whether the order has them. Callers: reserving.ts, changing.ts.
 */
import type { Reservation } from '../../workflows/orders/rules/order.ts';
import type { PlannedSeats } from '../../workflows/orders/rules/reserving/planned-seats.ts';
import type { SeatKeeper } from '../shared/seating.ts';
import type { Budget } from './reserving-budget.ts';
import { assertStillHeld, type HoldingRequest, holdSeats, mayRelease } from './reserving-holds.ts';

export interface HeldWrite<Written> {
  readonly seating: Pick<SeatKeeper, 'hold' | 'giveBack'>;
  readonly request: HoldingRequest;
  readonly seats: readonly PlannedSeats[];
  readonly budget: Budget;
  /** One write of the order. It calls `assertHeld` with its time, before it decides. */
  readonly write: (reservations: readonly Reservation[], assertHeld: (now: Date) => void) => Promise<Written>;
}

export async function holdAndWrite<Written>(held: HeldWrite<Written>): Promise<Written> {
  const { seating, request, seats, budget, write } = held;
  const mayHold = () => budget.check();
  mayHold();
  const { reservations, holds, heldAt } = await holdSeats(seating, { ...request, mayHold }, seats);
  let isLate = false;
  const assertInTime = () => {
    isLate = budget.isOver;
    budget.check();
  };
  try {
    assertInTime();
    return await write(reservations, (now) => {
      assertInTime();
      assertStillHeld(heldAt, now);
    });
  } catch (failure) {
    const isUnused = mayRelease(failure) || (isLate && !budget.isJoinable);
    // A further attempt that uses these holds has joined them, and keeps them.
    if (isUnused && holds.length > 0) await seating.giveBack(request.orderId, holds);
    throw failure;
  }
}
