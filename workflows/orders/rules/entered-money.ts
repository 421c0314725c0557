/**
 * What tells apart the money of other systems that an order has taken, or is about to take: with its import, and by its
 * payments. One unique index over the orders of an organisation guards both, so no money is entered twice. Pure.
 */
import { duplicateTransaction, importKeyOf } from '../../shared/import-keys.ts';
import type { Order } from './order.ts';

type Entered = Pick<Order, 'importedTransactions'> & Partial<Pick<Order, 'paymentRefs' | 'lock'>>;

/** Also of the import that holds the lock: the payment takes the money next. Each once. */
export function enteredKeys({ importedTransactions = [], paymentRefs = [], lock }: Entered): readonly string[] {
  const keys = [
    ...importedTransactions.map(({ rrn, confirmedAt }) => importKeyOf({ rrn, takenAt: confirmedAt })),
    ...paymentRefs.flatMap(({ importKeys = [] }) => importKeys),
    ...(lock?.importKey === undefined ? [] : [lock.importKey]),
  ];
  return [...new Set(keys)];
}

/** Throws DUPLICATE_TRANSACTION. A unique index does not see what one order has twice. */
export function assertNotEntered(order: Entered, importKey: string): void {
  if (enteredKeys(order).includes(importKey)) throw duplicateTransaction();
}

/** Throws DUPLICATE_TRANSACTION. */
export function assertDistinctMoney({ importedTransactions = [] }: Entered): void {
  if (enteredKeys({ importedTransactions }).length < importedTransactions.length) throw duplicateTransaction();
}
