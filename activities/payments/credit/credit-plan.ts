/** Which transactions of an order a sum is paid back on. Pure. */
import type { NewCredit } from '../../../workflows/payments/rules/credit.ts';
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import { creditableMinor } from '../../../workflows/payments/rules/summary.ts';

export interface CreditPlan {
  readonly parts: NewCredit['parts'];
  /** That no transaction can pay back. */
  readonly missingMinor: number;
}

/**
 * Payments of `firstVersion` come first: their customers paid for what is not sold. Then the largest remaining transaction;
 * among equals that with the lowest number.
 */
export function planCredit(payments: readonly Payment[], amountMinor: number, firstVersion?: number): CreditPlan {
  const rank = ({ orderVersion }: Payment) => (orderVersion === firstVersion ? 0 : 1);
  const open = payments
    .flatMap((payment) => payment.transactions.map((transaction) => ({ payment, transaction })))
    .map((each) => ({ ...each, leftMinor: creditableMinor(each.transaction) }))
    .filter(({ leftMinor }) => leftMinor > 0)
    .sort(
      (one, other) =>
        rank(one.payment) - rank(other.payment) ||
        other.leftMinor - one.leftMinor ||
        one.transaction.id - other.transaction.id,
    );
  let missingMinor = amountMinor;
  const parts = open.flatMap(({ payment, transaction, leftMinor }) => {
    const partMinor = Math.min(leftMinor, missingMinor);
    if (partMinor <= 0) return [];
    missingMinor -= partMinor;
    const { id: transactionId, paymentTypeGroup, paymentType } = transaction;
    return [{ paymentId: payment.id, transactionId, amountMinor: partMinor, paymentTypeGroup, paymentType }];
  });
  return { parts, missingMinor };
}
