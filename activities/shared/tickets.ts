/** What refunds ask of tickets. Provided by the tickets area. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { OrderId, OrderLineId, OrganisationId, TicketDistributionId } from '../../workflows/shared/ids.ts';
import type { RevocationReason } from '../../workflows/tickets/rules/ticket-group.ts';

export interface LinesOfOrder {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly orderLineIds: readonly OrderLineId[];
}

/** Each write removes its own condition, so it may be repeated without a work id. */
export interface TicketsWork {
  readonly correlationId: string;
  readonly clientId: string;
}

export interface Disabled {
  readonly reason: Exclude<RevocationReason, 'REPLACED'>;
  /** Who disables, as `refund/…`: only the same one restores. */
  readonly disabledBy: string;
  /** Throws TICKET_ALREADY_USED for a line whose ticket was used; lines before it are disabled then, to be restored. */
  readonly unusedOnly?: boolean;
  /** Tickets of later versions of the order stay. */
  readonly upToVersion?: number;
  /** When this attempt began. Throws UNAVAILABLE where {@link TicketAccess.restore} has begun later. */
  readonly since?: Date;
}

export interface LineUse {
  readonly orderLineId: OrderLineId;
  readonly usedAt: Date;
  readonly usedLegIds: readonly string[];
}

export interface TicketAccess {
  /** One conditional write for each line. Answers all tickets that this party has disabled, also in earlier attempts. */
  disable(lines: LinesOfOrder, disabled: Disabled, work: TicketsWork): Promise<readonly TicketDistributionId[]>;
  /**
   * What the same party has disabled is as it was before. `since`: when it began to give back. Attempts to disable that began before it,
   * whoever makes them, have no effect afterwards, however late they come.
   */
  restore(lines: LinesOfOrder, disabledBy: string, work: TicketsWork, since?: Date): Promise<void>;
  /** Has made and sent what a refund of these lines has held up. Call once the order is unlocked, however the refund has ended. */
  release(lines: LinesOfOrder): Promise<void>;
  /** Throws TICKET_ALREADY_USED. A ticket may be used right after: `disable` with `unusedOnly` decides. */
  assertUnused(lines: LinesOfOrder): Promise<void>;
  /** Lines whose tickets were used, with the legs; also those of replaced tickets. */
  listUse(lines: LinesOfOrder): Promise<readonly LineUse[]>;
}

export const TICKETS = interfaceKey<TicketAccess>('tickets');
