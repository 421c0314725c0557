/**
 * Frees the seats of holds whose order was never written: the process died, or the write failed. An order write is
 * refused a minute after its hold, and the sweep asks after two, so no hold is freed that an order has. Caller: the seat
 * keeper.
 */
import type { OrderId } from '../../workflows/shared/ids.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { ArrangementStore } from './arrangement-store.ts';
import type { CarriageStore } from './carriage-store.ts';
import type { ArrangementDocument } from './seating-model.ts';

export interface HoldSweep {
  readonly arrangements: ArrangementStore;
  readonly carriages: CarriageStore;
  readonly orders: Pick<OrderAccess, 'listReserved'>;
  readonly now: Date;
}

const SWEPT_AT_ONCE = 500;

export async function sweepHolds(sweep: HoldSweep): Promise<void> {
  const { arrangements, orders, now } = sweep;
  const byOrder = new Map<OrderId, ArrangementDocument[]>();
  for (const due of await arrangements.listDue(now, SWEPT_AT_ONCE)) {
    byOrder.set(due.orderId, [...(byOrder.get(due.orderId) ?? []), due]);
  }
  for (const [orderId, due] of byOrder) {
    const reserved = await orders.listReserved(orderId);
    for (const each of due) await (reserved.has(each._id) ? keep(sweep, each) : free(sweep, each));
  }
}

/** Whatever another attempt of the request has left behind goes. */
async function keep({ arrangements, carriages }: HoldSweep, kept: ArrangementDocument): Promise<void> {
  await carriages.release({ ...seatsOf(kept), exceptAttempt: kept.attempt });
  await arrangements.keep(kept);
}

/** A repeat of the request that holds again meanwhile does so as another attempt. */
async function free({ arrangements, carriages }: HoldSweep, lost: ArrangementDocument): Promise<void> {
  await carriages.release({ ...seatsOf(lost), attempt: lost.attempt });
  await arrangements.markReleased([lost]);
}

function seatsOf({ _id, runId }: ArrangementDocument) {
  return { runIds: [runId], reservationIds: [_id] };
}
