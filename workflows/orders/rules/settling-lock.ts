/**
 * The lock of a request that has money credited and then confirms or resets the order. Nothing else is written between
 * the two, so what is credited always fits what follows. Pure.
 */
import type { Order } from './order.ts';

export type SettlingRequest = 'confirmation' | 'reset';

/** A repeat of the request goes on under the same lock, also with another key. */
export function settlingOwner(request: SettlingRequest, { id, version }: Pick<Order, 'id' | 'version'>): string {
  return `order-${request}/${id}/v${version}`;
}

const IMPORT = 'payment-import/';

/** Of a request that enters money of another system. */
export function importOwner(workId: string): string {
  return `${IMPORT}${workId}`;
}

/** Inverse of {@link importOwner}; undefined for any other owner. */
export function importWorkOf(owner: string): string | undefined {
  return owner.startsWith(IMPORT) ? owner.slice(IMPORT.length) : undefined;
}

/** Far longer than a request lasts: after it the sweep ends what the lock was for, or the expiry of the draft takes it over. */
export const ABANDONED_MS = 2 * 60_000;

export function isAbandoned(order: Order, now: Date): boolean {
  const { lock } = order;
  if (!lock || now.getTime() - lock.since.getTime() < ABANDONED_MS) return false;
  const owners = [settlingOwner('confirmation', order), settlingOwner('reset', order)];
  return owners.includes(lock.owner) || lock.owner.startsWith(IMPORT);
}
