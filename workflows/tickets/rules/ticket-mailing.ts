/**
 * Mails with tickets, as the rules of this folder see them. Types only. A mailing is what one confirmation, call or reissue wants
 * to be sent; it has a mail for each recipient. Nothing here names a person: an address is read when a mail is sent.
 */
import type {
  CustomerNumber,
  OrderId,
  OrderLineId,
  OrganisationId,
  PaymentPageId,
  ReceiptReference,
  TicketDistributionId,
  TicketGroupId,
} from '../../shared/ids.ts';

/** What is to be sent, and to whom. */
export type MailingWish =
  /** The tickets and the receipt of a confirmation, where the channel sends them by itself. */
  | { readonly kind: 'CONFIRMED' }
  /** `isGiven`: to the address that the call has named. */
  | { readonly kind: 'ASKED'; readonly resend: boolean; readonly isGiven: boolean }
  /** The successors of a group's tickets. */
  | { readonly kind: 'REISSUED'; readonly groupId: TicketGroupId; readonly number: number }
  /** Tickets of a group that a failed refund has given back, and whose mails went without them meanwhile. */
  | { readonly kind: 'RESTORED'; readonly groupId: TicketGroupId };

/** NEW: its mails are not written down yet. OPEN: a mail is due, or a line is held. REFUSED: its tickets are not made; a receipt may be due. */
export type MailingState = 'NEW' | 'OPEN' | 'DONE' | 'REFUSED';

/** GIVEN: to the address that a call has named; the mailing has it sealed. */
export type Recipient = CustomerNumber | 'GIVEN';

/** FAILED: refused, or given up after 24 hours. DROPPED: its tickets were disabled or replaced before it was sent. */
export type MailState = 'DUE' | 'SENT' | 'FAILED' | 'DROPPED';

export interface MailedTicket {
  readonly groupId: TicketGroupId;
  readonly ticketId: TicketDistributionId;
}

export interface TicketMail {
  /** The same in every attempt, without the host. */
  readonly messageId: string;
  readonly recipient: Recipient;
  readonly tickets: readonly MailedTicket[];
  readonly state: MailState;
  /** Tickets that the last attempt did not show: they were disabled or replaced. */
  readonly omitted?: readonly TicketDistributionId[];
  readonly attempts: number;
  readonly firstTriedAt?: Date;
  /** With DUE. */
  readonly nextTryAt?: Date;
  /** Why the last attempt failed: the mail server's code, or one of ours. Never its text, which may hold the address. */
  readonly code?: string;
}

/** The receipt of a confirmation: its own document has its mail. */
export interface MailedReceipt {
  /** False: it is made, and sent to nobody by itself. */
  readonly isMailed: boolean;
  /** ISSUED: made, and not to be sent. UNADDRESSED: made, and the contact has no address. NONE: the version has neither payment nor credit. */
  readonly state: 'DUE' | 'SENT' | 'FAILED' | 'ISSUED' | 'UNADDRESSED' | 'NONE';
  /** Once it is made. */
  readonly reference?: ReceiptReference;
  /** When it could not be made for the first time. After 24 hours it is given up. */
  readonly firstTriedAt?: Date;
  readonly nextTryAt?: Date;
}

export interface Mailing {
  readonly id: string;
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
  /** Id of the workflow that sends it. */
  readonly workflow: string;
  readonly wish: MailingWish;
  /** With `isGiven`. Keyed: it tells the address from others of the order, and nothing more. */
  readonly addressFingerprint?: string;
  readonly state: MailingState;
  readonly mails: readonly TicketMail[];
  readonly receipt?: MailedReceipt;
  /** Tickets that nobody has an address for. */
  readonly unaddressed: number;
  /** Lines whose tickets are still to be planned: they may be paid back, or they could not be made. */
  readonly held?: readonly OrderLineId[];
  /** Those of them that could not be made. */
  readonly unmade?: readonly OrderLineId[];
  /** When what is held is planned again. */
  readonly planAgainAt?: Date;
  readonly paymentPageId?: PaymentPageId;
  /** What does not add up. */
  readonly faults?: readonly string[];
  readonly createdAt: Date;
}
