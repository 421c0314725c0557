/** The tickets of an order at a glance. Pure. */
import type { Text } from '../../shared/text.ts';
import type { Distribution, TicketGroup } from './ticket-group.ts';

export interface TicketSummary extends Pick<Distribution, 'status' | 'startOfValidity' | 'endOfValidity'> {
  readonly orderLineId: TicketGroup['orderLineId'];
  readonly ticketDistributionId: Distribution['id'];
  readonly productName: readonly Text[];
  readonly travellerCount: number;
}

/** One entry for each ticket, except those that a successor stands for. */
export function summarise(groups: readonly TicketGroup[]): readonly TicketSummary[] {
  return groups.flatMap(({ orderLineId, ticketDistributions }) =>
    ticketDistributions
      .filter(({ status }) => status !== 'REPLACED')
      .map(({ id, status, productName, startOfValidity, endOfValidity, travellers }) => ({
        orderLineId,
        ticketDistributionId: id,
        status,
        productName,
        startOfValidity,
        endOfValidity,
        travellerCount: travellers.length,
      })),
  );
}
