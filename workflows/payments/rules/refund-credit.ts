/** Which transactions pay back what a customer is refunded: those of groups that the distribution channel allows. Pure. */
import { ServiceError } from '../../shared/service-error.ts';
import { type CreditPlan, planCredit } from './credit-plan.ts';
import type { Payment } from './payment.ts';

export interface RefundChannel {
  readonly id: string;
  readonly refundPaymentTypeGroups: readonly string[];
}

/**
 * Empty for the amount 0. Throws ZERO_ALLOWED_PAYMENT_TYPE_GROUPS_FOR_DCI, ZERO_ALLOWED_TRANSACTIONS,
 * REFUND_AMOUNT_EXCEEDED.
 */
export function planRefundCredit(
  payments: readonly Payment[],
  amountMinor: number,
  { id, refundPaymentTypeGroups: groups }: RefundChannel,
): CreditPlan['parts'] {
  if (amountMinor === 0) return [];
  if (groups.length === 0) {
    throw new ServiceError('ZERO_ALLOWED_PAYMENT_TYPE_GROUPS_FOR_DCI', `The channel ${id} allows no refunds.`, {
      members: { exception: 'ZeroAllowedPaymentTypeGroupsForDCI' },
    });
  }
  const { parts, missingMinor } = planCredit(payments, amountMinor, { groups });
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
      'The transactions that the channel refunds cannot pay back so much: refund less, or use another channel.',
    );
  }
  return parts;
}

/** What the channel can pay back of the order at most. */
export function creditableOf(
  payments: readonly Payment[],
  { refundPaymentTypeGroups: groups }: Pick<RefundChannel, 'refundPaymentTypeGroups'>,
): number {
  const { missingMinor } = planCredit(payments, Number.MAX_SAFE_INTEGER, { groups });
  return Number.MAX_SAFE_INTEGER - missingMinor;
}
