/** The domain events of refunds. They hold ids, codes and amounts. Types and their names. */
import type { CreditId, OrderLineId, RefundId } from '../../shared/ids.ts';
import { COMPENSATION, type Refund } from './refund.ts';

interface OfRefund {
  readonly refundId: RefundId;
  /** That is refunded. */
  readonly orderVersion: number;
  /** Of a compensation. */
  readonly reason?: typeof COMPENSATION;
}

export type RefundEvent =
  | (OfRefund & {
      readonly type: 'RefundRequested';
      readonly orderLineIds: readonly OrderLineId[];
      /** Decimal text, as `349.00`. */
      readonly amount: string;
      readonly currency: string;
    })
  | (OfRefund & {
      readonly type: 'RefundCompleted';
      /** That the refund has made. A compensation makes none. */
      readonly refundedVersion?: number;
      readonly amount: string;
      readonly currency: string;
      readonly creditId?: CreditId;
    })
  /** An operator is to decide; told again where a decision could not be carried out. */
  | (OfRefund & {
      readonly type: 'RefundNeedsAttention';
      /** Of the whole refund; a part of it may be paid. */
      readonly amount: string;
      readonly currency: string;
      readonly creditId?: CreditId;
    })
  /** The order and its tickets are as before. */
  | (OfRefund & { readonly type: 'RefundFailed'; readonly code: string });

/** Every type once; the type fails when one is missing. */
const TYPES: { readonly [Type in RefundEvent['type']]-?: true } = {
  RefundRequested: true,
  RefundNeedsAttention: true,
  RefundCompleted: true,
  RefundFailed: true,
};
export const REFUND_EVENT_TYPES = Object.keys(TYPES) as readonly RefundEvent['type'][];

export function ofRefund({
  id,
  orderVersion,
  compensation,
}: Pick<Refund, 'id' | 'orderVersion' | 'compensation'>): OfRefund {
  return { refundId: id, orderVersion, ...(compensation && { reason: COMPENSATION }) };
}
