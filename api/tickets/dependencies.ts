/** Dependencies of the operations on tickets. Types only. */
import type { OrderAccess } from '../../activities/shared/orders.ts';
import type { DeliveryCalls } from '../../activities/tickets/delivery-calls.ts';
import type { InspectionFileStore } from '../../activities/tickets/inspection/inspection-file-store.ts';
import type { PendingReissues } from '../../activities/tickets/pending-reissues.ts';
import type { SealedBarcodes } from '../../activities/tickets/sealed-barcodes.ts';
import type { TicketKeyStore } from '../../activities/tickets/signing/ticket-key-store.ts';
import type { TicketPdfs } from '../../activities/tickets/ticket-pdfs.ts';
import type { TicketRevocations } from '../../activities/tickets/ticket-revocations.ts';
import type { TicketSearch } from '../../activities/tickets/ticket-search.ts';
import type { TicketSheets } from '../../activities/tickets/ticket-sheets.ts';
import type { TicketStore } from '../../activities/tickets/ticket-store.ts';
import type { TicketUpdates } from '../../activities/tickets/ticket-updates.ts';
import type { TicketValidations } from '../../activities/tickets/ticket-validations.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';

export interface TicketsDependencies {
  readonly tickets: Pick<TicketStore, 'getTicket' | 'listOfOrder'>;
  readonly search: Pick<TicketSearch, 'searchGroups' | 'searchTickets'>;
  readonly updates: Pick<TicketUpdates, 'updateValidities' | 'transferHolder'>;
  readonly reissues: Pick<PendingReissues, 'clearPendingStart'>;
  readonly validations: Pick<TicketValidations, 'record'>;
  readonly revocations: Pick<TicketRevocations, 'list'>;
  readonly barcodes: Pick<SealedBarcodes, 'openAll'>;
  readonly sheets: Pick<TicketSheets, 'make' | 'languageOf'>;
  readonly pdfs: Pick<TicketPdfs, 'read'>;
  /** Whether the order's key was destroyed. */
  readonly subjectKeys: Pick<SubjectKeys, 'existsFor'>;
  readonly calls: DeliveryCalls;
  readonly signingKeys: Pick<TicketKeyStore, 'list'>;
  readonly inspection: Pick<InspectionFileStore, 'read'>;
  readonly orders: Pick<OrderAccess, 'get'>;
}
