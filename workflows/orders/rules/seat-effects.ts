/**
 * Which seats a write sells or gives up. An order keeps the seats of its draft and of its last confirmed version; what
 * it no longer keeps is released, and what a confirmation keeps is sold. Pure.
 */
import type { ReservationId } from '../../shared/ids.ts';
import { hasEnded } from './amounts.ts';
import type { Order, PendingSeats, Reservation } from './order.ts';

/** Reservations of the draft and of the last confirmed version. None once the order has ended. */
export function keptReservations(order: Order): ReadonlySet<ReservationId> {
  if (hasEnded(order)) return new Set();
  return new Set([...idsOf(order.reservations), ...idsOf(order.confirmed?.reservations ?? [])]);
}

/** Adds the effects of this change to those that are still pending. */
export function withSeatEffects(before: Order, after: Order): Order {
  const keptAfter = keptReservations(after);
  const firmBefore = new Set(idsOf(before.confirmed?.reservations ?? []));
  const release = [...keptReservations(before)].filter((id) => !keptAfter.has(id));
  const confirm = idsOf(after.confirmed?.reservations ?? []).filter((id) => keptAfter.has(id) && !firmBefore.has(id));
  if (release.length === 0 && confirm.length === 0) return after;
  return { ...after, pendingSeats: mergePending(before.pendingSeats, { confirm, release }) };
}

function mergePending(earlier: PendingSeats | undefined, { confirm, release }: PendingSeats): PendingSeats {
  const released = new Set([...(earlier?.release ?? []), ...release]);
  const confirmed = new Set([...(earlier?.confirm ?? []), ...confirm]);
  return { confirm: [...confirmed].filter((id) => !released.has(id)), release: [...released] };
}

function idsOf(reservations: readonly Reservation[]): readonly ReservationId[] {
  return reservations.map(({ id }) => id);
}
