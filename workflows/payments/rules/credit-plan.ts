/** Which transactions of an order a sum is paid back on. Pure. */
import type { TransactionId } from '../../shared/ids.ts';
import type { NewCredit } from './credit.ts';
import type { Payment } from './payment.ts';
import { creditableMinor } from './summary.ts';

export interface CreditPlan {
  readonly parts: NewCredit['parts'];
  /** That no transaction can pay back. */
  readonly missingMinor: number;
}

export interface CreditChoice {
  /** Payments of this version come first: their customers paid for what is not sold. */
  readonly firstVersion?: number;
  /** Only transactions of these groups. */
  readonly groups?: readonly string[];
  /** Not paid back, of each transaction. */
  readonly keptMinor?: ReadonlyMap<TransactionId, number>;
}

/** The largest remaining transaction first; among equals that with the lowest number. */
export function planCredit(
  payments: readonly Payment[],
  amountMinor: number,
  { firstVersion, groups, keptMinor }: CreditChoice = {},
): CreditPlan {
  const rank = ({ orderVersion }: Payment) => (orderVersion === firstVersion ? 0 : 1);
  const open = payments
    .flatMap((payment) => payment.transactions.map((transaction) => ({ payment, transaction })))
    .map((each) => ({
      ...each,
      leftMinor: creditableMinor(each.transaction) - (keptMinor?.get(each.transaction.id) ?? 0),
    }))
    .filter(({ leftMinor, transaction }) => leftMinor > 0 && (groups?.includes(transaction.paymentTypeGroup) ?? true))
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
