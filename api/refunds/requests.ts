/** Requests of refunds as the rules take them. */
import type { Tenancy } from '../../activities/refunds/refund-store.ts';
import { type RefundPlace, tenancyOf } from '../../activities/refunds/refunding.ts';
import type { DistributionChannel } from '../../activities/shared/catalogue.ts';
import type { WantedOperation } from '../../workflows/refunds/rules/refund-plan.ts';
import type { OrderId, OrderLineId, SettlementId, TravellerId } from '../../workflows/shared/ids.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import { idsOf } from '../shared/id-lists.ts';
import type { Caller } from '../shared/operation.ts';
import { readAmount } from '../shared/prices.ts';
import type { Schemas } from './contract.gen.ts';

/** `currency`: that of the order. Throws VALIDATION_FAILED. */
export function readOperations(
  operations: readonly Schemas['RefundOperation'][],
  currency: string,
  member: 'refundOperations' | 'refundEntries' = 'refundOperations',
): readonly WantedOperation[] {
  return operations.map(({ orderLineRef, refundRule, refundAmount, legIds, travellerIds }, at) => ({
    orderLineId: plainUuid(orderLineRef.id) as OrderLineId,
    orderLineVersion: orderLineRef.version,
    refundRuleId: refundRule.id,
    ...(refundAmount !== undefined && {
      refundMinor: readAmount(refundAmount, currency, `/${member}/${at}/refundAmount`),
    }),
    ...(legIds && { legIds }),
    ...(travellerIds && { travellerIds: travellerIds.map(plainUuid) as TravellerId[] }),
  }));
}

export interface RefundRequest {
  readonly path: { readonly orderId: OrderId };
  readonly caller: Caller;
  readonly channel: DistributionChannel;
  readonly correlationId: string;
  readonly settlementId?: SettlementId | undefined;
}

/** A settlement counts money of its own organisation alone, which is the caller's. */
export function ownerOf({ caller, settlementId }: Pick<RefundRequest, 'caller' | 'settlementId'>): Tenancy {
  return settlementId === undefined ? tenancyOf(caller) : caller.organisationId;
}

export function placeOf({ path, caller, channel, correlationId, settlementId }: RefundRequest): RefundPlace {
  return { tenancy: ownerOf({ caller, settlementId }), orderId: path.orderId, channel, correlationId };
}

export function optionsQuery({
  orderVersion,
  orderLineIds,
}: {
  readonly orderVersion?: number | undefined;
  readonly orderLineIds?: readonly string[] | undefined;
}) {
  return {
    ...(orderVersion !== undefined && { orderVersion }),
    ...(orderLineIds && { orderLineIds: idsOf<OrderLineId>(orderLineIds) }),
  };
}
