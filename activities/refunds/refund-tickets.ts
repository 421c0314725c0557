/** Tickets of what is refunded: disabled before the first credit, so that nobody travels on money that was paid back. */
import type { Refund } from '../../workflows/refunds/rules/refund.ts';
import type { TicketDistributionId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { LinesOfOrder, TicketAccess, TicketsWork } from '../shared/tickets.ts';

type RefundedLines = Pick<Refund, 'organisationId' | 'orderId' | 'orderVersion' | 'operations'>;

export function linesOf({ organisationId, orderId, operations }: RefundedLines): LinesOfOrder {
  return { organisationId, orderId, orderLineIds: operations.map(({ orderLineId }) => orderLineId) };
}

/**
 * Repeatable by the same party. Throws TICKET_ALREADY_USED where a line, or a leg that is refunded, was used since the refund was
 * planned. A use that names no leg is one of the whole ticket. The party restores then what was disabled.
 */
export async function disableTickets(
  tickets: Pick<TicketAccess, 'disable' | 'listUse'>,
  refund: RefundedLines,
  disabledBy: string,
  work: TicketsWork,
): Promise<readonly TicketDistributionId[]> {
  const ids: TicketDistributionId[] = [];
  const { orderVersion: upToVersion } = refund;
  for (const { orderLineId, unusedOnly } of refund.operations) {
    const line = { ...linesOf(refund), orderLineIds: [orderLineId] };
    ids.push(...(await tickets.disable(line, { reason: 'REFUNDED', disabledBy, unusedOnly, upToVersion }, work)));
  }
  // A disabled ticket may still be shown, but no use counts against a plan that was made before.
  const uses = new Map((await tickets.listUse(linesOf(refund))).map((use) => [use.orderLineId, use]));
  for (const { orderLineId, legIds } of refund.operations) {
    const use = uses.get(orderLineId);
    const isUsedWhole = legIds === undefined || use?.usedLegIds.length === 0;
    const isUsed = use && (isUsedWhole || use.usedLegIds.some((id) => legIds.includes(id)));
    if (isUsed) throw new ServiceError('TICKET_ALREADY_USED', `The ticket of the line ${orderLineId} has been used.`);
  }
  return ids;
}
