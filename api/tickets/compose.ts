/** Composes tickets for the API process. Callers: api/server.ts, by the area's name; tests. */
import { CATALOGUE } from '../../activities/shared/catalogue.ts';
import { CUSTOMERS } from '../../activities/shared/customers.ts';
import { ORDER_USE, ORDERS } from '../../activities/shared/orders.ts';
import { DeliveryWorkflows } from '../../activities/tickets/delivery/delivery-workflows.ts';
import { InspectionFileStore } from '../../activities/tickets/inspection/inspection-file-store.ts';
import { MailingStore } from '../../activities/tickets/mailing-store.ts';
import { PendingReissues } from '../../activities/tickets/pending-reissues.ts';
import { SealedBarcodes } from '../../activities/tickets/sealed-barcodes.ts';
import { TicketKeyStore } from '../../activities/tickets/signing/ticket-key-store.ts';
import { TicketPdfs } from '../../activities/tickets/ticket-pdfs.ts';
import { TicketRevocations } from '../../activities/tickets/ticket-revocations.ts';
import { TicketSearch } from '../../activities/tickets/ticket-search.ts';
import { TicketSheets } from '../../activities/tickets/ticket-sheets.ts';
import { TicketStore } from '../../activities/tickets/ticket-store.ts';
import { TicketUpdates } from '../../activities/tickets/ticket-updates.ts';
import { TicketValidations } from '../../activities/tickets/ticket-validations.ts';
import { openSubjectKeys, subjectKeysShape } from '../../platform/personal/subject-keys-config.ts';
import type { ApiBase, AreaComposition } from '../shared/area-composition.ts';
import type { TicketsDependencies } from './dependencies.ts';
import { createTicketsArea } from './routes.ts';

type Base = Pick<ApiBase, 'mongo' | 'eventEnvironment' | 'interfaces' | 'objects' | 'temporal'>;

export const composition: AreaComposition = {
  config: subjectKeysShape,
  compose: async (base) => ({ area: createTicketsArea(composeTickets(base, await openSubjectKeys(base))) }),
};

function composeTickets(
  { mongo: connection, eventEnvironment: environment, interfaces, objects, temporal }: Base,
  keys: Awaited<ReturnType<typeof openSubjectKeys>>,
): TicketsDependencies {
  const tickets = new TicketStore({ connection, environment });
  const [catalogue, customers, orders] = [interfaces.get(CATALOGUE), interfaces.get(CUSTOMERS), interfaces.get(ORDERS)];
  const barcodes = new SealedBarcodes(keys);
  const sheets = new TicketSheets({ barcodes, catalogue, customers, isProduction: environment === 'production' });
  const mailings = new MailingStore({ connection });
  const signingKeys = new TicketKeyStore(connection);
  return {
    ...{ tickets, barcodes, sheets, orders },
    search: new TicketSearch(connection),
    updates: new TicketUpdates({ store: tickets, catalogue, customers, orders: () => interfaces.get(ORDER_USE) }),
    reissues: new PendingReissues(connection),
    validations: new TicketValidations({ connection, store: tickets, orders: () => interfaces.get(ORDER_USE) }),
    revocations: new TicketRevocations(connection),
    pdfs: new TicketPdfs({ objects, keys, sheets }),
    subjectKeys: keys,
    calls: new DeliveryWorkflows({
      temporal: () => temporal,
      ...{ mailings, tickets, signingKeys, keys },
      orders: () => orders,
      customers: () => customers,
    }),
    signingKeys,
    inspection: new InspectionFileStore(connection),
  };
}
