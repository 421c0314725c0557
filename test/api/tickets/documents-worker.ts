/**
 * The documents worker of the tests of tickets over HTTP: the workflows on a real Temporal server, PDFs in a real object store, mails by
 * SMTP to an in-box. The key that signs is that of a local stack.
 */
import '../../support/quiet-temporal.ts';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Connection } from 'mongoose';
import type { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import type { CustomerReader } from '../../../activities/shared/customers.ts';
import type { OrderAccess } from '../../../activities/shared/orders.ts';
import { createDeliveryActivities } from '../../../activities/tickets/delivery/delivery-activities.ts';
import { Documents } from '../../../activities/tickets/delivery/documents.ts';
import { MailComposer } from '../../../activities/tickets/delivery/mail-composer.ts';
import { MailSender } from '../../../activities/tickets/delivery/mail-sender.ts';
import { MailingPlanner } from '../../../activities/tickets/delivery/mailing-planner.ts';
import { ReceiptSender } from '../../../activities/tickets/delivery/receipt-sender.ts';
import { InspectionFileMaker } from '../../../activities/tickets/inspection/inspection-file-maker.ts';
import { InspectionFileStore } from '../../../activities/tickets/inspection/inspection-file-store.ts';
import { RevokedTickets } from '../../../activities/tickets/inspection/revoked-tickets.ts';
import { MailingStore } from '../../../activities/tickets/mailing-store.ts';
import type { MovedStartOrders } from '../../../activities/tickets/report-moved-start.ts';
import type { SealedBarcodes } from '../../../activities/tickets/sealed-barcodes.ts';
import type { TicketKeyStore } from '../../../activities/tickets/signing/ticket-key-store.ts';
import { TicketKeys } from '../../../activities/tickets/signing/ticket-keys.ts';
import { TicketIssuer } from '../../../activities/tickets/ticket-issuer.ts';
import type { TicketPdfs } from '../../../activities/tickets/ticket-pdfs.ts';
import type { TicketSheets } from '../../../activities/tickets/ticket-sheets.ts';
import { TicketSigning } from '../../../activities/tickets/ticket-signing.ts';
import type { TicketStore } from '../../../activities/tickets/ticket-store.ts';
import { ensureTicketKeys } from '../../../dev/stack/ticket-keys.ts';
import { addKey, withdrawKey } from '../../../ops/ticket-keys/key-file-writer.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import type { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import { createDataConverter } from '../../../platform/temporal/temporal.ts';
import { SALES_DOCUMENTS_QUEUE } from '../../../workflows/shared/documents-queue.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { temporaryDirectory } from '../../support/folders.ts';
import { until } from '../../support/until.ts';
import { PAYLOAD_KEYS } from '../../workflows/payload-keys.ts';
import { silentLog } from '../support/parcels.ts';

export interface DocumentsParts {
  readonly address: string;
  readonly connection: Connection;
  readonly keys: SubjectKeys;
  readonly tickets: TicketStore;
  readonly barcodes: SealedBarcodes;
  readonly sheets: TicketSheets;
  readonly pdfs: TicketPdfs;
  readonly mailer: Mailer;
  readonly signingKeys: TicketKeyStore;
  readonly catalogue: CatalogueStore;
  readonly customers: CustomerReader;
  readonly orders: OrderAccess;
  readonly use: () => MovedStartOrders;
}

export interface DocumentsWorker {
  /** As the worker does within seconds of a revocation. */
  makeInspectionFile(): Promise<void>;
  /** As an operator does: the keys end, and a new one signs. */
  withdrawSigningKeys(): Promise<void>;
  stop(): Promise<void>;
}

export async function startDocumentsWorker(parts: DocumentsParts): Promise<DocumentsWorker> {
  const { keys, tickets, sheets, pdfs, mailer, catalogue, customers, orders, use, connection } = parts;
  const path = ensureTicketKeys(temporaryDirectory('ticket-keys'));
  const signer = await TicketKeys.open({ path, environment: 'development', store: parts.signingKeys, log: silentLog });
  const files = new InspectionFileStore(connection);
  const maker = new InspectionFileMaker({ files, keys: signer, revoked: new RevokedTickets(connection) });
  const signing = new TicketSigning({ keys, customers, catalogue, signer, isProduction: false });
  const issuer = new TicketIssuer({ store: tickets, orders, catalogue, signing });
  const mailings = new MailingStore({ connection });
  const planner = new MailingPlanner({ mailings, tickets, keys, customers, catalogue });
  const composer = new MailComposer({ keys, customers, mailings, sheets, pdfs });
  const now = () => new Date();
  const noPage = async () => undefined;
  const receipts = new ReceiptSender({ receipts: noReceipt, log: silentLog, now });
  const documents = new Documents({ issuer, tickets, pdfs, mailings, planner, orders, use, customers, log: silentLog });
  const mails = new MailSender({
    mailings,
    tickets,
    composer,
    receipts,
    issuer,
    mailer,
    late: { tell: noPage },
    log: silentLog,
  });
  const native = await NativeConnection.connect({ address: parts.address });
  const worker = await Worker.create({
    connection: native,
    taskQueue: SALES_DOCUMENTS_QUEUE,
    dataConverter: createDataConverter(PAYLOAD_KEYS),
    workflowBundle: { code: (await useWorkflowBundle()).code },
    activities: createDeliveryActivities(documents, mails),
  });
  const running = worker.run();
  return {
    makeInspectionFile: async () => {
      // It rests between two files.
      await until(async () => await maker.keep(), { what: 'the next inspection file' });
    },
    withdrawSigningKeys: async () => {
      for (const { keyId } of signer.published) withdrawKey(path, keyId, new Date());
      addKey(path, { from: new Date(), signDays: 365 });
      await signer.follow();
    },
    stop: async () => {
      worker.shutdown();
      await running;
      await native.close();
      await mailer.close();
      signer.close();
    },
  };
}

/** Nothing confirms orders by itself here, so no receipt falls due. */
function noReceipt(): never {
  throw new Error('No receipt is due in these tests');
}
