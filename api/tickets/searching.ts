/** Reads of tickets: searches, one ticket, the summary of an order, the PDF. */
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import { summarise } from '../../workflows/tickets/rules/summary.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { TicketsDependencies } from './dependencies.ts';
import { presentFound, presentGroups } from './present-group.ts';
import { distributionIdOf, tenancyOf } from './requests.ts';
import { searchOf } from './search-requests.ts';
import { readPdf } from './shown-pdfs.ts';

type ReadOperations = Pick<
  Operations,
  | 'searchTicketDistributions'
  | 'searchTicketDistributionGroups'
  | 'summariseTickets'
  | 'getTicketDistribution'
  | 'getTicketPdf'
>;

export function createReadOperations(dependencies: TicketsDependencies): Handlers<ReadOperations> {
  const { tickets, search, barcodes, orders } = dependencies;
  return {
    searchTicketDistributions: async ({ caller, search: given }) => {
      const { items, totalItems } = await search.searchTickets(
        tenancyOf(caller),
        searchOf(given, 'ticketDistributionId'),
      );
      const shown = await Promise.all(items.map(async (item) => await presentFound(item, barcodes)));
      return { status: 200, json: toSearchPage(given, shown, totalItems) };
    },
    searchTicketDistributionGroups: async ({ caller, search: given }) => {
      const { items, totalItems } = await search.searchGroups(tenancyOf(caller), searchOf(given, 'id'));
      return { status: 200, json: toSearchPage(given, await presentGroups(items, barcodes), totalItems) };
    },
    summariseTickets: async ({ caller, path }) => {
      const { id, organisationId } = await orders.get(tenancyOf(caller), path.orderId);
      const stored = await tickets.listOfOrder(organisationId, id);
      const shown = summarise(stored.map(({ group }) => group)).map(
        ({ startOfValidity, endOfValidity, ...summary }) => ({
          ...summary,
          startOfValidity: startOfValidity.toISOString(),
          endOfValidity: endOfValidity.toISOString(),
        }),
      );
      return { status: 200, json: shown };
    },
    getTicketDistribution: async ({ caller, path }) => {
      const found = await tickets.getTicket(tenancyOf(caller), distributionIdOf(path));
      return { status: 200, json: await presentFound(found, barcodes) };
    },
    getTicketPdf: async ({ caller, path }) => {
      const shown = await tickets.getTicket(tenancyOf(caller), distributionIdOf(path));
      const headers = {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="ticket-${shown.ticket.id}.pdf"`,
      };
      return { status: 200, headers, bytes: await readPdf(dependencies, shown) };
    },
  };
}
