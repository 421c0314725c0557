/** What the stores of tickets take and answer. Types only. */
import type { Connection } from 'mongoose';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { NewTicketId } from '../../workflows/tickets/rules/reconciliation.ts';
import type { TicketChange } from '../../workflows/tickets/rules/ticket-change.ts';
import type { Distribution, TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';

/** `ANY`: tickets of every organisation. */
export type Tenancy = OrganisationId | 'ANY';

export interface TicketStoreOptions {
  readonly connection: Connection;
  readonly environment: EventEnvironment;
  readonly now?: () => Date;
}

export interface StoredGroup {
  readonly group: TicketGroup;
  /** Every write raises it. */
  readonly revision: number;
  /** A reissue waits for its workflow. */
  readonly isPending: boolean;
}

export interface StoredTicket extends StoredGroup {
  readonly ticket: Distribution;
}

export interface OrderPlace {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
}

/** The party that writes. Without a work id the change removes its own condition, so that a repeat finds nothing to do. */
export interface TicketWork {
  readonly workId?: string;
  readonly correlationId: string;
  readonly clientId: string;
  readonly causationId?: string;
}

/**
 * Pure: it is called again when another writer came first, or when something else has a number. It answers the group itself for
 * no change, and refuses by throwing. `now` is the time of the write.
 */
export type Decide = (stored: StoredGroup, now: Date, newId: NewTicketId) => TicketChange;
