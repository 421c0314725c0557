/** Refusals that many commands share. Pure. */
import { ServiceError } from '../../shared/service-error.ts';
import { excessMinor } from './amounts.ts';
import type { Order } from './order.ts';
import type { Commanded } from './order-change.ts';
import { findLockingRefund } from './refund-locks.ts';

const LOCK_RETRY_SECONDS = 2;
/** Most refunds end within seconds; one that waits for a decision may take days. */
const REFUND_RETRY_SECONDS = 10;

/** Every write but facts about money: the order has not ended, and nobody else's capture, confirmation or refund runs. */
export function assertWritable(order: Pick<Order, 'status' | 'lock'>, { lockOwner }: Commanded): void {
  if (order.status === 'CANCELLED') throw new ServiceError('INVALID_STATE', 'The order is cancelled.');
  if (order.status === 'EXPIRED') throw expired();
  if (order.lock && order.lock.owner !== lockOwner) throw locked(order);
}

/** Asked before anybody is asked to pay: a capture ends in a moment, but a refund may wait for days. Throws ORDER_LOCKED. */
export function assertNoRefund(order: Pick<Order, 'lock'>): void {
  if (findLockingRefund(order) !== undefined) throw locked(order);
}

export function locked(order: Pick<Order, 'lock'>): ServiceError {
  const refundId = findLockingRefund(order);
  const detail =
    refundId === undefined
      ? 'A capture, confirmation or refund of the order is running; try again.'
      : `The refund ${refundId} of the order runs, and the balance is not settled before it ends. ` +
        'GET /v1/refunds/{orderId}/{refundId} tells its status: NEEDS_ATTENTION waits for your decision, as ' +
        'POST /v1/refunds/{orderId}/{refundId}/resolve says. Read the order once it has ended, and try again.';
  const seconds = refundId === undefined ? LOCK_RETRY_SECONDS : REFUND_RETRY_SECONDS;
  return new ServiceError('ORDER_LOCKED', detail, { headers: { 'Retry-After': String(seconds) } });
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
