/** How each operation finds what its path names, for this caller. */
import type { OrderId } from '../../workflows/shared/ids.ts';
import type { Caller, Finds } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { TicketsDependencies } from './dependencies.ts';
import { distributionIdOf, tenancyOf } from './requests.ts';

interface OfOrder {
  readonly path: { readonly orderId: OrderId };
  readonly caller: Caller;
}

interface OfTicket {
  readonly path: { readonly ticketDistributionId: string };
  readonly caller: Caller;
}

export function createFinds({ orders, tickets }: Pick<TicketsDependencies, 'orders' | 'tickets'>): Finds<Operations> {
  const order = async ({ path, caller }: OfOrder) => await orders.get(tenancyOf(caller), path.orderId);
  const ticket = async ({ path, caller }: OfTicket) =>
    await tickets.getTicket(tenancyOf(caller), distributionIdOf(path));
  return {
    summariseTickets: order,
    generateTickets: order,
    generatePdfTickets: order,
    distributeTickets: order,
    distributeTicketGroups: order,
    distributeTicketsOfOrder: order,
    distributeTravelCard: order,
    getTicketDistribution: ticket,
    getTicketPdf: ticket,
    // Inspectors check tickets of every organisation.
    recordValidation: async ({ path }) => await tickets.getTicket('ANY', distributionIdOf(path)),
  };
}
