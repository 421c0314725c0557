/** Which transactions pay a refund back: those of groups that the distribution channel allows for refunds. Pure. */
import { type CreditPlan, planCredit } from '../../payments/rules/credit-plan.ts';
import type { Payment } from '../../payments/rules/payment.ts';
import { sumOf } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { PlannedOperation } from './refund.ts';

export interface RefundChannel {
  readonly id: string;
  readonly refundPaymentTypeGroups: readonly string[];
}

/**
 * Of all operations together. Empty where the fees take all. Throws ZERO_ALLOWED_PAYMENT_TYPE_GROUPS_FOR_DCI,
 * ZERO_ALLOWED_TRANSACTIONS, REFUND_AMOUNT_EXCEEDED.
 */
export function refundParts(
  payments: readonly Payment[],
  operations: readonly Pick<PlannedOperation, 'refundMinor'>[],
  { id, refundPaymentTypeGroups: groups }: RefundChannel,
): CreditPlan['parts'] {
  const totalMinor = sumOf(operations.map(({ refundMinor }) => refundMinor));
  if (totalMinor === 0) return [];
  if (groups.length === 0) {
    throw new ServiceError('ZERO_ALLOWED_PAYMENT_TYPE_GROUPS_FOR_DCI', `The channel ${id} allows no refunds.`, {
      members: { exception: 'ZeroAllowedPaymentTypeGroupsForDCI' },
    });
  }
  const { parts, missingMinor } = planCredit(payments, totalMinor, { groups });
  if (parts.length === 0) {
    throw new ServiceError(
      'ZERO_ALLOWED_TRANSACTIONS',
      `The order has no transaction left that the channel ${id} refunds; its groups are ${groups.join(', ')}.`,
      { members: { exception: 'ZeroAllowedTransactionsException' } },
    );
  }
  if (missingMinor > 0) {
    throw new ServiceError(
      'REFUND_AMOUNT_EXCEEDED',
      'The transactions that the channel refunds cannot pay back so much: refund fewer lines, or use another channel.',
    );
  }
  return parts;
}
