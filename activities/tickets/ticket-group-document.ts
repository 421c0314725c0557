/** The tickets of an order line as they are stored: one aggregate. Callers: the stores of this folder. */
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';

export interface TicketGroupDocument extends AggregateDocument, Omit<TicketGroup, 'id'> {
  /** The group's id as text. */
  readonly _id: string;
}

export const TICKET_GROUPS = new CollectionDefinition<TicketGroupDocument>('ticket_groups', [...AGGREGATE_INDEXES]);
