/** The states of a refund, and what each step writes. Repeated, a step changes nothing. Pure. */
import type { CreditId, OrderLineId, TicketDistributionId } from '../../shared/ids.ts';
import { formatAmount, sumOf } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { COMPENSATION, type Failure, isEnded, type PlannedOperation, type Refund, type Resolution } from './refund.ts';
import { ofRefund, type RefundEvent } from './refund-events.ts';

export interface RefundChange {
  readonly refund: Refund;
  readonly events: readonly RefundEvent[];
}

export type NewRefund = Omit<Refund, 'status' | 'disabledTicketIds' | 'createdAt' | 'updatedAt'>;

/** What is paid back, or is to be. */
export function totalRefundMinor({ operations }: Pick<Refund, 'operations'>): number {
  return sumOf(operations.map(({ refundMinor }) => refundMinor));
}

/**
 * A compensation gives no line back. It has one operation all the same, with its amount and the id of no line: a worker of a build of
 * before 2026-11-28 pays what the operations of a refund say.
 */
export function operationsOfCompensation({ id, parts }: Pick<Refund, 'id' | 'parts'>): readonly PlannedOperation[] {
  const amountMinor = sumOf(parts.map((part) => part.amountMinor));
  const amounts = { shareMinor: amountMinor, refundMinor: amountMinor };
  const noLine = String(id) as OrderLineId;
  return [{ orderLineId: noLine, orderLineVersion: 1, refundRuleId: COMPENSATION, ...amounts, unusedOnly: false }];
}

/** Lines that are given back. */
export function refundedLineIds({ operations, compensation }: Pick<Refund, 'operations' | 'compensation'>) {
  return compensation ? [] : operations.map(({ orderLineId }) => orderLineId);
}

export function requestRefund(content: NewRefund, now: Date): RefundChange {
  const refund: Refund = { ...content, status: 'REQUESTED', disabledTicketIds: [], createdAt: now, updatedAt: now };
  const orderLineIds = refundedLineIds(refund);
  return { refund, events: [{ type: 'RefundRequested', ...ofRefund(refund), orderLineIds, ...amountOf(refund) }] };
}

/** The order is locked and the tickets are disabled. */
export function noteLocked(
  refund: Refund,
  locked: { readonly refundedVersion: number; readonly disabledTicketIds: readonly TicketDistributionId[] },
  now: Date,
): RefundChange {
  if (refund.status !== 'REQUESTED' || refund.refundedVersion !== undefined) return unchanged(refund);
  return { refund: { ...refund, ...locked, updatedAt: now }, events: [] };
}

/** Tickets that were being issued when the order was locked. */
export function noteDisabled(refund: Refund, ids: readonly TicketDistributionId[], now: Date): RefundChange {
  const disabledTicketIds = [...new Set([...refund.disabledTicketIds, ...ids])];
  if (isEnded(refund) || disabledTicketIds.length === refund.disabledTicketIds.length) return unchanged(refund);
  return { refund: { ...refund, disabledTicketIds, updatedAt: now }, events: [] };
}

export function noteCrediting(refund: Refund, { creditId }: { readonly creditId: CreditId }, now: Date): RefundChange {
  if (refund.status !== 'REQUESTED') return unchanged(refund);
  if (refund.refundedVersion === undefined) throw new RangeError('Money is credited after the order was locked');
  return { refund: { ...refund, status: 'CREDITING', creditId, updatedAt: now }, events: [] };
}

export function noteAttention(refund: Refund, now: Date): RefundChange {
  if (refund.status !== 'CREDITING') return unchanged(refund);
  return asked({ ...refund, status: 'NEEDS_ATTENTION', updatedAt: now });
}

/** Throws INVALID_STATE where no operator is asked, or another decision was taken. */
export function resolveRefund(
  refund: Refund,
  { resolution, reason }: { readonly resolution: Resolution; readonly reason: string },
  now: Date,
): RefundChange {
  if (refund.resolution === resolution) return unchanged(refund);
  if (refund.resolution)
    throw new ServiceError('INVALID_STATE', `Another decision on the refund was taken: ${refund.resolution}.`);
  if (refund.status !== 'NEEDS_ATTENTION') {
    throw new ServiceError('INVALID_STATE', `The refund is ${refund.status}: no decision is asked for.`);
  }
  return { refund: { ...refund, resolution, resolutionReason: reason, updatedAt: now }, events: [] };
}

/** Money that a provider had paid has failed later, and an operator has paid it in another way. */
export function notePaidOtherwise(refund: Refund, { reason }: { readonly reason: string }, now: Date): RefundChange {
  if (refund.status !== 'COMPLETED' || refund.paidOtherwiseReason === reason) return unchanged(refund);
  return { refund: { ...refund, paidOtherwiseReason: reason, updatedAt: now }, events: [] };
}

/** The decision cannot be carried out: another one is asked for. */
export function withdrawResolution(refund: Refund, now: Date): RefundChange {
  const { resolution, resolutionReason: _reason, ...undecided } = refund;
  if (resolution === undefined || isEnded(refund)) return unchanged(refund);
  return asked({ ...undecided, updatedAt: now });
}

/** Less than the plan only where an operator gave the rest up. */
export function operationsPaid(refund: Refund, creditedMinor: number): readonly PlannedOperation[] {
  let leftMinor = creditedMinor;
  return refund.operations.map((operation) => {
    const refundMinor = Math.min(operation.refundMinor, leftMinor);
    leftMinor -= refundMinor;
    return { ...operation, refundMinor };
  });
}

export function completeRefund(
  refund: Refund,
  { operations }: { readonly operations: readonly PlannedOperation[] },
  now: Date,
): RefundChange {
  if (isEnded(refund)) return unchanged(refund);
  if (refund.refundedVersion === undefined) throw new RangeError('A refund is completed after its order was locked');
  const completed: Refund = { ...refund, operations, status: 'COMPLETED', updatedAt: now, endedAt: now };
  const { refundedVersion } = refund;
  const of = { ...ofCredited(refund), ...(!refund.compensation && { refundedVersion }) };
  return { refund: completed, events: [{ type: 'RefundCompleted', ...of, ...amountOf(completed) }] };
}

/** The draft of a compensation is marked: from now on its money may be on its way. */
export function noteBegun(refund: Refund, now: Date): RefundChange {
  const { status, compensation } = refund;
  if (status !== 'REQUESTED' || !compensation || compensation.isBegun) return unchanged(refund);
  return { refund: { ...refund, compensation: { ...compensation, isBegun: true }, updatedAt: now }, events: [] };
}

/** Its draft cannot be marked, or the money is not owed. Without an effect where another attempt has begun it. */
export function refuseCompensation(refund: Refund, failure: Failure, now: Date): RefundChange {
  const isRefused = refund.status === 'REQUESTED' && !refund.compensation?.isBegun;
  return isRefused ? failRefund(refund, failure, now) : unchanged(refund);
}

/** Nothing was paid back; the order and its tickets are as before. */
export function failRefund(refund: Refund, failure: Failure, now: Date): RefundChange {
  if (isEnded(refund)) return unchanged(refund);
  const failed: Refund = {
    ...refund,
    ...{ status: 'FAILED', failure, disabledTicketIds: [], updatedAt: now, endedAt: now },
  };
  return { refund: failed, events: [{ type: 'RefundFailed', ...ofRefund(refund), code: failure.code }] };
}

export function unchanged(refund: Refund): RefundChange {
  return { refund, events: [] };
}

/** Of an operator. */
function asked(refund: Refund): RefundChange {
  return { refund, events: [{ type: 'RefundNeedsAttention', ...ofCredited(refund), ...amountOf(refund) }] };
}

function ofCredited(refund: Refund) {
  const { creditId } = refund;
  return { ...ofRefund(refund), ...(creditId !== undefined && { creditId }) };
}

function amountOf(refund: Refund) {
  return { amount: formatAmount(totalRefundMinor(refund), refund.currency), currency: refund.currency };
}
