/** A refund of an order, as the rules of this folder see it. Types only. Amounts are in the smallest unit of its currency. */
import type { PaidPage } from '../../payments/rules/compensation-plan.ts';
import type { NewCredit } from '../../payments/rules/credit.ts';
import type {
  CreditId,
  DistributionChannelId,
  OrderId,
  OrderLineId,
  OrganisationId,
  RefundId,
  SettlementId,
  TicketDistributionId,
  TransactionId,
  TravellerId,
} from '../../shared/ids.ts';

/**
 * REQUESTED: nothing is paid back yet. CREDITING: the providers are asked. NEEDS_ATTENTION: an operator decides on what no
 * provider has paid. COMPLETED and FAILED are final; after FAILED the order and its tickets are as before.
 */
export const REFUND_STATUSES = ['REQUESTED', 'CREDITING', 'NEEDS_ATTENTION', 'COMPLETED', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** CREDITED_ELSEWHERE: the customer was paid in another way. GIVEN_UP: what no provider has paid is not paid. */
export const RESOLUTIONS = ['CREDITED_ELSEWHERE', 'GIVEN_UP'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** A part of an order line that is given back. */
export interface PlannedOperation {
  readonly orderLineId: OrderLineId;
  readonly orderLineVersion: number;
  readonly refundRuleId: string;
  /** Of the line's price. */
  readonly shareMinor: number;
  readonly refundMinor: number;
  /** Absent: all that is left of the line. */
  readonly legIds?: readonly string[];
  readonly travellerIds?: readonly TravellerId[];
  /** The rule gives nothing back for a line that was used. */
  readonly unusedOnly: boolean;
}

/** Of every compensation; callers give codes of their own. */
export const COMPENSATION = 'COMPENSATION';

/** Captured money that its order cannot use. It is paid back whole: no rule, no fee and no ticket is asked. */
export interface Compensation {
  /** Holds the order's lock, and ends the draft when all is paid back. From NEEDS_ATTENTION on the refund does both. */
  readonly askedBy: string;
  /** The transaction of a capture that has asked: it tells its own page. */
  readonly askedFor?: TransactionId;
  /** Of its credit; absent: the refund's own. */
  readonly creditWorkId?: string;
  /** On which it was paid, and by which transactions. */
  readonly pages?: readonly PaidPage[];
  /** Its draft is marked, and the money may be on its way: it is not refused any more. */
  readonly isBegun?: true;
}

export interface Failure {
  /** One of the service. */
  readonly code: string;
  readonly detail: string;
}

export interface Refund {
  readonly id: RefundId;
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  /** That is refunded; of a compensation, the draft whose money it is. */
  readonly orderVersion: number;
  /** That the refund makes; known when the order is locked. A compensation makes none, and has that of the draft. */
  readonly refundedVersion?: number;
  readonly distributionChannelId: DistributionChannelId;
  readonly settlementId?: SettlementId;
  readonly currency: string;
  readonly operations: readonly PlannedOperation[];
  /** Transactions that are paid back, with their amounts. Empty where the fees take all. */
  readonly parts: NewCredit['parts'];
  readonly compensation?: Compensation;
  readonly status: RefundStatus;
  readonly creditId?: CreditId;
  readonly disabledTicketIds: readonly TicketDistributionId[];
  /** A code of the caller's own, or {@link COMPENSATION}. */
  readonly reason?: string;
  /** Lifts the fee and the window of the rules. */
  readonly overruleCode?: string;
  readonly failure?: Failure;
  readonly resolution?: Resolution;
  readonly resolutionReason?: string;
  /** Why, and that, an operator has paid in another way what had failed after the refund was completed. */
  readonly paidOtherwiseReason?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt?: Date;
}

export const ENDED_STATUSES = ['COMPLETED', 'FAILED'] as const satisfies readonly RefundStatus[];

export function isEnded({ status }: Pick<Refund, 'status'>): boolean {
  return ENDED_STATUSES.some((each) => each === status);
}

/** Nothing more happens by itself, or not soon: who waits for it is answered. */
export function isSettled(refund: Pick<Refund, 'status'>): boolean {
  return isEnded(refund) || refund.status === 'NEEDS_ATTENTION';
}
