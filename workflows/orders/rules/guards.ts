/** Refusals that many commands share. Pure. */
import { ServiceError } from '../../shared/service-error.ts';
import { excessMinor } from './amounts.ts';
import type { Order } from './order.ts';
import type { Commanded } from './order-change.ts';

const LOCK_RETRY_SECONDS = 2;

/** Every write but facts about money: the order has not ended, and nobody else's capture, confirmation or refund runs. */
export function assertWritable(order: Pick<Order, 'status' | 'lock'>, { lockOwner }: Commanded): void {
  if (order.status === 'CANCELLED') throw new ServiceError('INVALID_STATE', 'The order is cancelled.');
  if (order.status === 'EXPIRED') throw expired();
  if (order.lock && order.lock.owner !== lockOwner) throw locked();
}

export function locked(): ServiceError {
  return new ServiceError('ORDER_LOCKED', 'A capture, confirmation or refund of the order is running; try again.', {
    headers: { 'Retry-After': String(LOCK_RETRY_SECONDS) },
  });
}

/** A draft whose time is over is ended by the next sweep; nothing is added to it meanwhile. */
export function assertNotDue(order: Order, now: Date): void {
  if (isDue(order, now)) throw expired();
}

export function isDue({ status, expireAt }: Pick<Order, 'status' | 'expireAt'>, now: Date): boolean {
  return status === 'DRAFT' && expireAt !== undefined && expireAt.getTime() <= now.getTime();
}

/** Money that was taken for a draft may complete it after its time is over. */
export function mayStillConfirm(order: Order, { lockOwner }: Commanded): boolean {
  return lockOwner !== undefined || excessMinor(order) > 0;
}

export function invalidState(detail: string): ServiceError {
  return new ServiceError('INVALID_STATE', detail);
}

/** `pointer` names the member of the request. */
export function invalid(pointer: string, code: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, { errors: [{ pointer, code, detail }] });
}

function expired(): ServiceError {
  return new ServiceError('ORDER_EXPIRED', 'The order has expired.');
}
