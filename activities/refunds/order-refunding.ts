/** What a refund asks of its order. Pure. */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { Refunding } from '../../workflows/orders/rules/refunding.ts';
import type { Refund } from '../../workflows/refunds/rules/refund.ts';

/** Fees have the same ids in every attempt. */
export function refundingOf({
  id,
  orderVersion,
  operations,
}: Pick<Refund, 'id' | 'orderVersion' | 'operations'>): Refunding {
  return {
    orderVersion,
    lines: operations.map(({ orderLineId, shareMinor, refundMinor, legIds, travellerIds }) => ({
      ...{ orderLineId, shareMinor, refundMinor },
      ...(legIds && { legIds }),
      ...(travellerIds && { travellerIds }),
      feeId: workItemId(id, `fee/${orderLineId}`),
    })),
  };
}
