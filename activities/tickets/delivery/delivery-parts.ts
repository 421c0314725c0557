/** Makes what a documents worker delivers with. Callers: the role; tests, which run it without a process. */
import type { Connection } from 'mongoose';
import type { EventEnvironment } from '../../../platform/events/outbox.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import type { ObjectStore } from '../../../platform/object-store/object-store.ts';
import type { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { CatalogueReader } from '../../shared/catalogue.ts';
import type { CustomerReader } from '../../shared/customers.ts';
import type { MailSlots } from '../../shared/mail-slots.ts';
import type { OrderAccess } from '../../shared/orders.ts';
import type { DeliveredReceipts } from '../../shared/receipts.ts';
import { MailingStore } from '../mailing-store.ts';
import type { MovedStartOrders } from '../report-moved-start.ts';
import { SealedBarcodes } from '../sealed-barcodes.ts';
import type { TicketSigner } from '../signing/ticket-signer.ts';
import { TicketIssuer } from '../ticket-issuer.ts';
import { TicketPdfs } from '../ticket-pdfs.ts';
import { TicketSheets } from '../ticket-sheets.ts';
import { TicketSigning } from '../ticket-signing.ts';
import { TicketStore } from '../ticket-store.ts';
import type { OrderPlace } from '../ticket-types.ts';
import type { UnsignedTickets } from '../unsigned-tickets.ts';
import { createDeliveryActivities } from './delivery-activities.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { Documents } from './documents.ts';
import { LateDelivery, type LateDeliveryOptions } from './late-delivery.ts';
import { MailComposer } from './mail-composer.ts';
import { MailSender } from './mail-sender.ts';
import { MailingPlanner } from './mailing-planner.ts';
import { ReceiptSender } from './receipt-sender.ts';

export interface DeliveryBase {
  readonly connection: Connection;
  readonly environment: EventEnvironment;
  readonly keys: SubjectKeys;
  readonly objects: ObjectStore;
  readonly orders: Pick<OrderAccess, 'get'>;
  readonly use: () => MovedStartOrders;
  readonly customers: CustomerReader;
  readonly catalogue: CatalogueReader;
  readonly receipts: () => DeliveredReceipts;
  readonly pages: LateDeliveryOptions['pages'];
  readonly signer: TicketSigner;
  readonly mailer: Pick<Mailer, 'send'>;
  /** Those of the process. */
  readonly slots?: MailSlots;
  readonly metrics?: DeliveryMetrics;
  readonly log: Logger;
  readonly now?: () => Date;
}

export function makeDelivery(base: DeliveryBase) {
  const { connection, environment, keys, objects, orders, use, customers, catalogue, metrics, log } = base;
  const now = base.now ?? (() => new Date());
  const isProduction = environment === 'production';
  const tickets = new TicketStore({ connection, environment, now });
  const mailings = new MailingStore({ connection, now });
  const signing = new TicketSigning({ keys, customers, catalogue, signer: base.signer, isProduction, now });
  const onUnsigned = ({ orderId }: OrderPlace, err: UnsignedTickets) =>
    log.error({ err, orderId }, 'the tickets of a line could not be signed; that is tried again');
  const issuer = new TicketIssuer({ store: tickets, orders, catalogue, signing, onUnsigned });
  const sheets = new TicketSheets({ barcodes: new SealedBarcodes(keys), catalogue, customers, isProduction });
  const pdfs = new TicketPdfs({ objects, keys, sheets });
  const planner = new MailingPlanner({ mailings, tickets, keys, customers, catalogue });
  const onRefused = () => metrics?.refused();
  const documents = new Documents({ issuer, tickets, pdfs, mailings, planner, orders, use, customers, log, onRefused });
  const sender = new MailSender({
    ...{ mailings, tickets, issuer, mailer: base.mailer, log },
    late: new LateDelivery({ mailings, tickets, orders, pages: base.pages }),
    composer: new MailComposer({ keys, customers, mailings, sheets, pdfs }),
    receipts: new ReceiptSender({ receipts: base.receipts, log, now }),
    onAttempt: (kind) => metrics?.attempted(kind),
  });
  return { tickets, mailings, pdfs, activities: createDeliveryActivities(documents, sender, base.slots) };
}
