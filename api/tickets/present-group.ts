/** JSON of groups of tickets, with their barcodes opened. */

import type { SealedBarcodes } from '../../activities/tickets/sealed-barcodes.ts';
import type { StoredGroup, StoredTicket } from '../../activities/tickets/ticket-types.ts';
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import { presentTicket } from './present-ticket.ts';

type Barcodes = Pick<SealedBarcodes, 'openAll'>;

export async function presentGroups(stored: readonly Pick<StoredGroup, 'group'>[], barcodes: Barcodes) {
  return await Promise.all(stored.map(async ({ group }) => await presentGroup(group, barcodes)));
}

async function presentGroup(group: TicketGroup, barcodes: Barcodes) {
  const { orderId, organisationId, currency, ticketDistributions } = group;
  const opened = await barcodes.openAll(group, ticketDistributions);
  return {
    ...placeOf(group),
    id: group.id,
    updatedForOrderLineVersion: group.updatedForOrderLineVersion,
    orderOwnerCustomerId: group.orderOwnerCustomerId,
    distributionHolderCustomerId: group.distributionHolderCustomerId,
    createdAt: group.createdAt.toISOString(),
    updatedAt: group.updatedAt.toISOString(),
    meta: {
      ...{ orderId, organisationId },
      distributionChannelId: group.distributionChannelId,
      transferable: group.transferable,
    },
    ticketDistributions: ticketDistributions.map((ticket) => presentTicket(ticket, currency, opened.get(ticket.id))),
  };
}

/** A ticket, and where it belongs. */
export async function presentFound({ group, ticket }: Pick<StoredTicket, 'group' | 'ticket'>, barcodes: Barcodes) {
  const opened = await barcodes.openAll(group, [ticket]);
  return {
    ...presentTicket(ticket, group.currency, opened.get(ticket.id)),
    ticketDistributionGroupId: group.id,
    ...placeOf(group),
    createdAt: group.createdAt.toISOString(),
    updatedAt: group.updatedAt.toISOString(),
  };
}

function placeOf({ orderId, orderVersion, orderLineId, organisationId }: TicketGroup) {
  return { orderId, orderVersion, orderLineId, organisationId };
}
