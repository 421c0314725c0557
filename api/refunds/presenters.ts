/** JSON of refunds, options and dry runs. */
import { createHash } from 'node:crypto';
import type { CreditParts, PlannedOption, PlannedOptions, PlannedRefund } from '../../activities/refunds/refunding.ts';
import type { CreditAccount, CreditedPart, CreditProblem, PartRefusal } from '../../activities/shared/refund-money.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { PlannedOperation, Refund } from '../../workflows/refunds/rules/refund.ts';
import { refundedLineIds, totalRefundMinor } from '../../workflows/refunds/rules/refund-life.ts';
import type { OrderLineId } from '../../workflows/shared/ids.ts';
import { formatAmount } from '../../workflows/shared/money.ts';

const NO_CREDIT: CreditAccount = { parts: [], problems: [] };
const REFUSALS: { readonly [Refusal in PartRefusal]: string } = {
  REFUSED_BY_ISSUER: 'The payment provider refuses to pay it back.',
  REFUND_AMOUNT_EXCEEDED:
    'Less was left of the transactions than was to be paid back, so no payment provider was asked.',
  GIVEN_UP: 'It was given up before a payment provider has answered.',
  CREDIT_FAILED: 'The payment provider had paid it back, and reported later that it failed: see problems.',
};

/** `account`: of its credit. */
export function presentRefund(refund: Refund, { parts, problems }: CreditAccount = NO_CREDIT) {
  const { id, status, orderId, orderVersion, refundedVersion, currency, creditId, disabledTicketIds } = refund;
  const { reason, overruleCode, failure, resolution, resolutionReason, paidOtherwiseReason } = refund;
  const byPayment = Map.groupBy(refund.parts, ({ paymentId }) => String(paymentId));
  return {
    ...{ refundId: id, status, orderId, orderVersion },
    refundedVersion: refund.compensation ? undefined : refundedVersion,
    refundAmount: formatAmount(totalRefundMinor(refund), currency),
    ...{ currency, creditId },
    affectedOrderLineIds: refundedLineIds(refund),
    disabledTicketIds,
    affectedPaymentAndPaymentTransactionIds: Object.fromEntries(
      [...byPayment].map(([paymentId, parts]) => [paymentId, parts.map(({ transactionId }) => transactionId)]),
    ),
    ...{ reason, overruleCode, failure, resolution, resolutionReason, paidOtherwiseReason },
    ...(parts.length > 0 && { creditTransactions: parts.map((each) => presentCredited(each, currency)) }),
    ...(problems.length > 0 && { problems: problems.map((each) => presentProblem(each, currency)) }),
    createdAt: refund.createdAt.toISOString(),
    endedAt: refund.endedAt?.toISOString(),
  };
}

function presentCredited(part: CreditedPart, currency: string) {
  const { paymentId, transactionId, amountMinor, paymentTypeGroup, paymentType, status, rrn, paidOtherwise, refusal } =
    part;
  return {
    ...{ paymentId, transactionId, amount: formatAmount(amountMinor, currency), paymentTypeGroup, paymentType },
    ...{ status, rrn, paidOtherwise },
    ...(refusal && { failure: { code: refusal, detail: REFUSALS[refusal] } }),
  };
}

function presentProblem(problem: CreditProblem, currency: string) {
  const { type, paymentId, transactionId, amountMinor, failedAt, paidOtherwiseAt } = problem;
  return {
    ...{ type, paymentId, transactionId, amount: formatAmount(amountMinor, currency) },
    ...{ failedAt: failedAt?.toISOString(), paidOtherwiseAt: paidOtherwiseAt?.toISOString() },
  };
}

/** 202 while it runs. */
export function replyOf(json: ReturnType<typeof presentRefund>) {
  return json.status === 'COMPLETED' ? { status: 200 as const, json } : { status: 202 as const, json };
}

export type RefundReply = ReturnType<typeof replyOf>;

export function presentOptions({ order, orderVersion, options, together }: PlannedOptions) {
  const { id, currency } = order;
  // Each is in many sets: its id is made once.
  const transientIds = new Map<PlannedOption, string>();
  const transientIdOf = (option: PlannedOption): string => {
    const known = transientIds.get(option);
    if (known !== undefined) return known;
    const { orderLineId, orderLineVersion, rule, refundMinor } = option;
    const made = uuidOf([id, orderVersion, orderLineId, orderLineVersion, rule.id, refundMinor]);
    transientIds.set(option, made);
    return made;
  };
  const presented = options.map((option) => {
    const { orderLineId, orderLineVersion, rule, shareMinor, refundMinor, legIds, expiresAt, parts } = option;
    return {
      transientId: transientIdOf(option),
      orderLineRef: { id: orderLineId, version: orderLineVersion },
      refundRule: {
        id: rule.id,
        refundPercent: rule.refundPercent,
        feeAmount: formatAmount(rule.feeAmountMinor, currency),
      },
      refundAmount: formatAmount(refundMinor, currency),
      fee: formatAmount(shareMinor - refundMinor, currency),
      legIds,
      expiresAt: expiresAt.toISOString(),
      affectedPaymentTransactions: presentParts(parts, currency),
      feeRef: feeRefOf(order, orderLineId),
    };
  });
  return {
    orderRef: { id, version: orderVersion },
    currency,
    options: presented,
    optionIdsThatCanBePerformedTogether: together.map((set) => set.map(transientIdOf)),
  };
}

export function presentDryRun({ order, operations, parts }: PlannedRefund) {
  const { id: orderId, currency } = order;
  return {
    orderId,
    totalRefundAmount: formatAmount(totalRefundMinor({ operations }), currency),
    currency,
    fees: operations.flatMap((operation) => feesOf(order, operation)),
    affectedPaymentTransactions: presentParts(parts, currency),
  };
}

function feesOf(order: Order, { orderLineId, shareMinor, refundMinor }: PlannedOperation) {
  if (shareMinor === refundMinor) return [];
  const amount = formatAmount(shareMinor - refundMinor, order.currency);
  return [{ type: 'REFUNDING' as const, amount, feeRef: feeRefOf(order, orderLineId) }];
}

/** The main product of the line. */
function feeRefOf({ orderLines }: Order, orderLineId: OrderLineId) {
  const { salesPackageRef, fareProducts = [] } = orderLines.find(({ id }) => id === orderLineId) ?? {};
  const product = fareProducts.find(({ kind }) => kind === 'PREASSIGNED') ?? fareProducts[0];
  return { salesPackageRef, ...(product && { fareProductRef: { id: product.id, version: product.version } }) };
}

function presentParts(parts: CreditParts, currency: string) {
  return parts.map(({ paymentId, transactionId, amountMinor, paymentTypeGroup, paymentType }) => ({
    ...{ paymentId, transactionId, amount: formatAmount(amountMinor, currency), paymentTypeGroup, paymentType },
  }));
}

/** The same in every answer that says the same. A UUID (RFC 9562, version 8). */
function uuidOf(facts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
