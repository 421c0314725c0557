/**
 * The tickets of an order line as they are stored: one aggregate (platform/aggregate), and what searches need. Callers: the stores
 * of this folder; nothing else knows the collection. Only `signed` holds personal data.
 */
import type { mongo } from 'mongoose';
import { AGGREGATE_INDEXES, type AggregateDocument } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { CustomerNumber, TicketGroupId } from '../../workflows/shared/ids.ts';
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import { TICKET_GROUP_INDEXES } from './ticket-group-indexes.ts';

export interface TicketGroupDocument extends AggregateDocument, Omit<TicketGroup, 'id'> {
  /** The group's number as text. */
  readonly _id: string;
  readonly groupId: TicketGroupId;
  /** Owner, holder and travellers, of all tickets that the line has ever had. */
  readonly customers: readonly CustomerNumber[];
}

export type TicketGroupCollection = mongo.Collection<TicketGroupDocument>;

export const TICKET_GROUPS = new CollectionDefinition<TicketGroupDocument>('ticket_groups', [
  ...AGGREGATE_INDEXES,
  ...TICKET_GROUP_INDEXES,
]);
