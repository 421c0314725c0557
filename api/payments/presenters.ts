/** JSON of payments, their transactions, and credits. */
import { type Credit, creditStatusOf, totalCreditMinor } from '../../workflows/payments/rules/credit.ts';
import type { Payment, Transaction } from '../../workflows/payments/rules/payment.ts';
import { statusOf, summaryOf } from '../../workflows/payments/rules/summary.ts';
import { formatAmount } from '../../workflows/shared/money.ts';

export function presentPayment(payment: Payment) {
  const { currency } = payment;
  const amount = (amountMinor: number) => formatAmount(amountMinor, currency);
  const { capturedMinor, creditedMinor, remainingMinor } = summaryOf(payment);
  return {
    paymentId: payment.id,
    orderId: payment.orderId,
    orderVersion: payment.orderVersion,
    totalAmount: amount(payment.totalMinor),
    currency,
    active: payment.active,
    status: statusOf(payment),
    organisationId: payment.organisationId,
    distributionChannelId: payment.distributionChannelId,
    customerNumber: payment.customerNumber,
    createdAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
    summary: {
      captured: amount(capturedMinor),
      credited: amount(creditedMinor),
      remaining: amount(remainingMinor),
    },
    transactionHistory: payment.transactions.map((transaction) => presentTransaction(transaction, currency)),
  };
}

/** Without addresses, sessions and what providers call it. */
export function presentTransaction(transaction: Transaction, currency: string) {
  return {
    transactionId: transaction.id,
    amount: formatAmount(transaction.amountMinor, currency),
    currency,
    status: transaction.status,
    paymentTypeGroup: transaction.paymentTypeGroup as never,
    paymentType: transaction.paymentType,
    isImport: transaction.isImport,
    cardNumber: transaction.last4,
    rrn: transaction.rrn,
    externalTransactionId: transaction.externalTransactionId,
    settlementId: transaction.settlementId,
    createdAt: transaction.createdAt.toISOString(),
    operationLog: transaction.operations.map(({ operation, at }) => ({ operation, at: at.toISOString() })),
  };
}

/** Of a refund once it is carried out, since a decision may be withdrawn before. The refund has the reason. */
function presentDecision(credit: Credit) {
  const { decision } = credit;
  if (decision === undefined || decision.state === 'REFUSED') return {};
  const isGivenUp = decision.how === 'GIVEN_UP';
  if (decision.state === undefined && creditStatusOf(credit) !== (isGivenUp ? 'FAILED' : 'CREDITED')) return {};
  const resolution = isGivenUp ? ('GIVEN_UP' as const) : ('CREDITED_ELSEWHERE' as const);
  return { resolution, resolutionReason: decision.reason };
}

export function presentCredit(credit: Credit) {
  const { currency } = credit;
  return {
    creditId: credit.id,
    orderId: credit.orderId,
    orderVersion: credit.orderVersion,
    totalCreditAmount: formatAmount(totalCreditMinor(credit), currency),
    currency,
    status: creditStatusOf(credit),
    reason: credit.reason,
    customerNumber: credit.customerNumber,
    settlementId: credit.settlementId,
    ...presentDecision(credit),
    createdAt: credit.createdAt.toISOString(),
    updatedAt: credit.updatedAt.toISOString(),
    creditTransactions: credit.parts.map(({ amountMinor, at: _at, paymentTypeGroup, ...part }) => ({
      ...part,
      paymentTypeGroup: paymentTypeGroup as never,
      amount: formatAmount(amountMinor, currency),
    })),
  };
}
