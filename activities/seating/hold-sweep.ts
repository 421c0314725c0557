/**
 * Frees the seats of holds whose order was never written: the process died, or the write failed. An order write is
 * refused a minute after its hold, and the sweep asks after two, so no hold is freed that an order has. Caller: the seat
 * keeper.
 */
import type { OrderId } from '../../workflows/shared/ids.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { ArrangementStore } from './arrangement-store.ts';
import type { CarriageStore } from './carriage-store.ts';
import { type ArrangementDocument, runsOf } from './seating-model.ts';

export interface HoldSweep {
  readonly arrangements: ArrangementStore;
  readonly carriages: CarriageStore;
  readonly orders: Pick<OrderAccess, 'listReserved'>;
  readonly now: Date;
}

const SWEPT_AT_ONCE = 500;

export async function sweepHolds(sweep: HoldSweep): Promise<void> {
  for (;;) {
    const due = await sweep.arrangements.listDue(sweep.now, SWEPT_AT_ONCE);
    const failures: unknown[] = [];
    // One order that cannot be asked holds up no other.
    for (const [orderId, ofOrder] of Map.groupBy(due, (each) => each.orderId)) {
      await sweepOrder(sweep, orderId, ofOrder).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    if (due.length < SWEPT_AT_ONCE) return;
  }
}

async function sweepOrder(sweep: HoldSweep, orderId: OrderId, due: readonly ArrangementDocument[]): Promise<void> {
  const reserved = await sweep.orders.listReserved(orderId);
  for (const [attempt, held] of Map.groupBy(due, (each) => each.attempt)) {
    const kept = held.filter(({ _id }) => reserved.has(_id));
    if (kept.length > 0) await keep(sweep, attempt, kept);
    const lost = held.filter(({ _id }) => !reserved.has(_id));
    if (lost.length > 0) await free(sweep, attempt, lost);
  }
}

type Held = readonly ArrangementDocument[];

/** Whatever another attempt of the request has left behind goes. */
async function keep({ arrangements, carriages }: HoldSweep, attempt: string, kept: Held): Promise<void> {
  await carriages.release({ ...seatsOf(kept), exceptAttempt: attempt });
  await arrangements.keep(attempt, kept);
}

/** A repeat of the request that holds again meanwhile does so as another attempt. */
async function free({ arrangements, carriages }: HoldSweep, attempt: string, lost: Held): Promise<void> {
  await carriages.release({ ...seatsOf(lost), attempt });
  await arrangements.markReleased(lost);
}

function seatsOf(held: Held) {
  return { runIds: runsOf(held), reservationIds: held.map(({ _id }) => _id) };
}
