/** What operators have given up of money that a draft cannot use: nobody is asked for it again beside other money. Pure. */
import type { TransactionId } from '../../shared/ids.ts';
import type { Credit } from './credit.ts';
import type { Payment } from './payment.ts';
import { reservedMinor } from './summary.ts';
import { findTransaction } from './transactions.ts';

/** Of each transaction, and of this version of the order. Never more than is left of it: it may have been given up twice. */
export function givenUpOf(
  payments: readonly Payment[],
  credits: readonly Credit[],
  version: number,
): ReadonlyMap<TransactionId, number> {
  const given = new Map<TransactionId, number>();
  for (const { reason, orderVersion, decision, parts } of credits) {
    if (reason !== 'COMPENSATION' || orderVersion !== version || decision?.how !== 'GIVEN_UP') continue;
    for (const { paymentId, transactionId, amountMinor, status } of parts) {
      const payment = payments.find(({ id }) => id === paymentId);
      const transaction = payment && findTransaction(payment, transactionId);
      if (!transaction || status !== 'FAILED') continue;
      const leftMinor = transaction.amountMinor - reservedMinor(transaction);
      const sumMinor = Math.min((given.get(transactionId) ?? 0) + amountMinor, leftMinor);
      if (sumMinor > 0) given.set(transactionId, sumMinor);
    }
  }
  return given;
}
