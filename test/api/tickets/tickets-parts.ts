/** The stores, the worker and the HTTP server of the tests of tickets. Caller: tickets-server.ts. */
import { randomUUID } from 'node:crypto';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { ExistingCustomers } from '../../../activities/customers/existing-customers.ts';
import { OrderAccessor } from '../../../activities/orders/order-access.ts';
import { OrderUseWriter } from '../../../activities/orders/order-use.ts';
import { DeliveryWorkflows } from '../../../activities/tickets/delivery/delivery-workflows.ts';
import { InspectionFileStore } from '../../../activities/tickets/inspection/inspection-file-store.ts';
import { TICKET_MAILS } from '../../../activities/tickets/mail-document.ts';
import { MailingStore } from '../../../activities/tickets/mailing-store.ts';
import { PendingReissues } from '../../../activities/tickets/pending-reissues.ts';
import { SealedBarcodes } from '../../../activities/tickets/sealed-barcodes.ts';
import { TICKET_KEYS } from '../../../activities/tickets/signing/ticket-key-document.ts';
import { TicketKeyStore } from '../../../activities/tickets/signing/ticket-key-store.ts';
import { TICKET_GROUPS } from '../../../activities/tickets/ticket-group-document.ts';
import { TicketPdfs } from '../../../activities/tickets/ticket-pdfs.ts';
import { TicketRevocations } from '../../../activities/tickets/ticket-revocations.ts';
import { TicketSearch } from '../../../activities/tickets/ticket-search.ts';
import { TicketSheets } from '../../../activities/tickets/ticket-sheets.ts';
import { TicketStore } from '../../../activities/tickets/ticket-store.ts';
import { TicketUpdates } from '../../../activities/tickets/ticket-updates.ts';
import { TICKET_VALIDATIONS } from '../../../activities/tickets/ticket-validation-document.ts';
import { TicketValidations } from '../../../activities/tickets/ticket-validations.ts';
import { createApp } from '../../../api/shared/app.ts';
import { serve } from '../../../api/shared/serve.ts';
import { createTicketsArea } from '../../../api/tickets/routes.ts';
import { parseConfig } from '../../../platform/config.ts';
import { mailShape } from '../../../platform/mail/mail-config.ts';
import { openMailer } from '../../../platform/mail/smtp-mailer.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import { AnswerSeal } from '../../../platform/personal/answer-seal.ts';
import { TemporalClient } from '../../../platform/temporal/temporal.ts';
import type { OrderId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { useObjectStore, useTemporal } from '../../support/stack.ts';
import { PAYLOAD_KEYS } from '../../workflows/payload-keys.ts';
import type { OrdersServer } from '../orders/support.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';
import { startDocumentsWorker } from './documents-worker.ts';

const OURS = 1 as OrganisationId;
const DEFINITIONS = [TICKET_GROUPS, TICKET_MAILS, TICKET_VALIDATIONS, TICKET_KEYS];

export interface TicketsParts {
  readonly url: string;
  /** Makes the tickets of the confirmed version, as a request to generate them does. */
  issue(orderId: OrderId): Promise<void>;
  makeInspectionFile(): Promise<void>;
  withdrawSigningKeys(): Promise<void>;
  /** The most PDFs that were read at the same time so far. */
  mostPdfsAtOnce(): number;
  close(): Promise<void>;
}

export async function openTickets(sold: OrdersServer, smtpPort: number): Promise<TicketsParts> {
  const { connection, keys } = sold;
  const { fares, orders: store } = sold.dependencies;
  const catalogue = new CatalogueStore(connection);
  await Promise.all(DEFINITIONS.map((each) => each.ensureIndexes(connection)));
  const [{ address }, objectStore] = await Promise.all([useTemporal(), useObjectStore()]);
  const objects = ObjectStore.connect(objectStore);
  const temporal = new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
  const orders = new OrderAccessor({ orders: store, seats: () => sold.keeper, fares: () => fares });
  const customers = new ExistingCustomers(connection, undefined, async () => keys);
  const tickets = new TicketStore({ connection, environment: 'dev' });
  const barcodes = new SealedBarcodes(keys);
  const sheets = new TicketSheets({ barcodes, catalogue, customers, isProduction: false });
  const pdfs = new CountedPdfs({ objects, keys, sheets });
  const signingKeys = new TicketKeyStore(connection);
  const use = () => new OrderUseWriter(store);
  const shared = { keys, tickets, barcodes, sheets, pdfs, signingKeys, catalogue, customers, orders, use };
  const worker = await startDocumentsWorker({ ...shared, address, connection, mailer: mailerOf(smtpPort) });
  const calls = new DeliveryWorkflows({
    ...{ temporal: () => temporal, mailings: new MailingStore({ connection }), keys, tickets, signingKeys },
    ...{ orders: () => orders, customers: () => customers },
  });
  const area = createTicketsArea({
    ...{ tickets, barcodes, sheets, pdfs, calls, signingKeys, orders, subjectKeys: keys },
    search: new TicketSearch(connection),
    updates: new TicketUpdates({ store: tickets, catalogue, customers, orders: use }),
    reissues: new PendingReissues(connection),
    validations: new TicketValidations({ connection, store: tickets, orders: use }),
    revocations: new TicketRevocations(connection),
    inspection: new InspectionFileStore(connection),
  });
  const server = await serve(appOf(area, sold), { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  return {
    url: server.url,
    issue: async (orderId) => {
      const { version: orderVersion } = await orders.get(OURS, orderId);
      const work = { workId: randomUUID(), correlationId: randomUUID() };
      await calls.generate({ organisationId: OURS, orderId, orderVersion }, {}, work);
    },
    mostPdfsAtOnce: () => pdfs.most,
    makeInspectionFile: async () => await worker.makeInspectionFile(),
    withdrawSigningKeys: async () => await worker.withdrawSigningKeys(),
    close: async () => {
      await server.close();
      await worker.stop();
      await temporal.close();
    },
  };
}

class CountedPdfs extends TicketPdfs {
  most = 0;
  #reading = 0;

  override async read(...wanted: Parameters<TicketPdfs['read']>): ReturnType<TicketPdfs['read']> {
    this.#reading += 1;
    this.most = Math.max(this.most, this.#reading);
    try {
      return await super.read(...wanted);
    } finally {
      this.#reading -= 1;
    }
  }
}

function appOf(area: ReturnType<typeof createTicketsArea>, { connection, keys, dependencies }: OrdersServer) {
  return createApp({
    areas: [area],
    log: silentLog,
    verifyToken: readPlainToken,
    idempotency: keyedRequests(connection),
    answerSeal: new AnswerSeal(keys),
    findChannel: async (id) => await dependencies.catalogue.findChannel(id),
  });
}

function mailerOf(smtpPort: number) {
  const settings = { MAIL_SERVER: `smtp://127.0.0.1:${smtpPort}`, MAIL_FROM: 'Samferd <tickets@example.org>' };
  return openMailer({ ...parseConfig(mailShape, settings), ENVIRONMENT: 'development' });
}
