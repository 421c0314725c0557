/**
 * The activities of the workflows of tickets: types only, implemented in `activities/tickets/delivery`.
 *
 * Every function may run twice, and two at once, with the same effect as one run: what is to be sent is written down before a
 * mail server is asked, and each mail has one Message-ID. Histories hold the names of the functions: they never change.
 */
import type { OrderId, OrganisationId, PaymentPageId } from '../shared/ids.ts';
import type { DeliveryInput, GenerateRequest, ReissueInput } from './messages.ts';

export interface IssueInput extends DeliveryInput, GenerateRequest {
  /** Whose mails are written down. Absent: tickets are made, and sent to nobody. */
  readonly mailing?: string;
}

/** Why the tickets are not made; `code` is one of the service. ORDER_LOCKED and UNAVAILABLE pass. */
export interface DocumentRefusal {
  readonly code: string;
  readonly detail: string;
}

export interface IssueStep {
  readonly refusal?: DocumentRefusal;
  /** The page that the order was paid on, which waits for the tickets. */
  readonly paymentPageId?: PaymentPageId;
}

export interface SendInput {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  /** Id of the workflow that sends them. */
  readonly workflow: string;
  readonly correlationId: string;
}

/** How the mails of a workflow stand, over all of its runs. */
export interface SendStep {
  readonly sent: number;
  readonly failed: number;
  /** Tickets and receipts that nobody has an address for. */
  readonly unaddressed: number;
  /** Lines that may be paid back, or wait for a signature: they are sent by another run. */
  readonly waiting?: number;
  /** When the next mail is due; absent: none is. */
  readonly nextTryAtMs?: number;
  readonly paymentPageId?: PaymentPageId;
}

export interface DocumentActivities {
  /**
   * Makes, replaces and disables tickets as the confirmed version wants, stores their PDFs, and issues the receipt of a
   * confirmation. Returns when all is stored, and the mails of the mailing are written down.
   */
  issueDocuments(input: IssueInput): Promise<IssueStep>;
  /** Signs and stores the successors that a reissue has written down, and writes down their mails. */
  issueSuccessors(input: ReissueInput): Promise<IssueStep>;
}

export interface MailActivities {
  /** One attempt for each mail that is due. */
  sendDue(input: SendInput): Promise<SendStep>;
}
