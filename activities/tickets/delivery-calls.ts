/**
 * What the handlers of the API ask of the workflows of tickets. Each call is repeatable, and returns when the documents hold
 * what it has made: read the groups then.
 */
import type { OrderId, OrganisationId, TicketGroupId } from '../../workflows/shared/ids.ts';
import type { GenerateRequest } from '../../workflows/tickets/messages.ts';

/** A confirmed version. */
export interface DeliveredVersion {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
}

export interface DeliveryWork {
  /** The same in every attempt of one request. */
  readonly workId: string;
  readonly correlationId: string;
}

export interface Distribution {
  /** Tickets that were sent before are sent again. */
  readonly resend: boolean;
  /** All go there; else to travellers with an address, and to the order's contact. */
  readonly email?: string;
}

export interface ReissuedGroup {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly groupId: TicketGroupId;
  /** Counts the reissues of the group. */
  readonly number: number;
}

export interface DeliveryCalls {
  /** Makes the tickets and their PDFs. Throws INVALID_STATE where the order does not add up, UNAVAILABLE in time. */
  generate(version: DeliveredVersion, request: GenerateRequest, work: DeliveryWork): Promise<void>;
  /** Makes the tickets, and has their mails sent. Throws NO_DELIVERY_ADDRESS, and as `generate`. */
  distribute(version: DeliveredVersion, distribution: Distribution, work: DeliveryWork): Promise<void>;
  /** Has the successors signed and sent. Call after the write that has made them; the sweep does it where this fails. */
  startReissue(group: ReissuedGroup, work: Pick<DeliveryWork, 'correlationId'>): Promise<void>;
}
