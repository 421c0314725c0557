/** The domain events of tickets. They hold ids and times, never what tells of a person. Types and their names. */
import type { CustomerNumber, OrderLineId, TicketDistributionId, TicketGroupId } from '../../shared/ids.ts';
import type { RevocationReason, TicketStatus } from './ticket-group.ts';

interface OfTicket {
  readonly orderVersion: number;
  readonly orderLineId: OrderLineId;
  readonly ticketDistributionGroupId: TicketGroupId;
  readonly ticketDistributionId: TicketDistributionId;
}

/** Times are RFC 3339, in UTC. */
export type TicketEvent = OfTicket &
  (
    | {
        readonly type: 'TicketDistributionGenerated';
        readonly startOfValidity: string;
        readonly endOfValidity: string;
        /** Of a successor. */
        readonly replaces?: TicketDistributionId;
      }
    | { readonly type: 'TicketDistributionDistributed'; readonly distributedAt: string }
    | {
        readonly type: 'TicketDistributionDisabled';
        readonly reason: RevocationReason;
        /** With REPLACED: its successor, where it has one. */
        readonly replacedBy?: TicketDistributionId;
      }
    /** A refund has failed: it is what it was before it was disabled, or what its mails have made of it meanwhile. */
    | { readonly type: 'TicketDistributionEnabled'; readonly status: TicketStatus }
    | {
        readonly type: 'TicketDistributionValidityUpdated';
        readonly startOfValidity: string;
        readonly endOfValidity: string;
        readonly replaces: TicketDistributionId;
      }
    | {
        readonly type: 'TicketDistributionHolderTransferred';
        readonly distributionHolderCustomerId: CustomerNumber;
        readonly replaces: TicketDistributionId;
      }
    | { readonly type: 'TicketDistributionUsed'; readonly usedAt: string }
  );

/** Every type once; the type fails when one is missing. */
const TYPES: { readonly [Type in TicketEvent['type']]-?: true } = {
  TicketDistributionGenerated: true,
  TicketDistributionDistributed: true,
  TicketDistributionDisabled: true,
  TicketDistributionEnabled: true,
  TicketDistributionValidityUpdated: true,
  TicketDistributionHolderTransferred: true,
  TicketDistributionUsed: true,
};

export const TICKET_EVENT_TYPES = Object.keys(TYPES) as readonly TicketEvent['type'][];
