/** Where transactions of a stored payment are, as calls of their workflows name them. Callers: the sweeps, and who ends transactions. */
import type { Transaction } from '../../workflows/payments/rules/payment.ts';
import type { TransactionPlace } from './capture-calls.ts';
import type { StoredPayment } from './payment-types.ts';

/** With the page that began it, which is told of its outcome. */
export function placesOf(
  { payment: { organisationId, orderId, id: paymentId, transactions } }: Pick<StoredPayment, 'payment'>,
  isWanted: (transaction: Transaction) => boolean,
): readonly TransactionPlace[] {
  return transactions.filter(isWanted).map(({ id: transactionId, paymentPageId }) => ({
    ...{ organisationId, orderId, paymentId, transactionId },
    ...(paymentPageId !== undefined && { paymentPageId }),
  }));
}
