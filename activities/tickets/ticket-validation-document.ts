/** Validations of tickets as they are stored: what inspectors have reported. Callers: the stores of this folder. */
import type { mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { OrganisationId, TicketDistributionId, TicketGroupId } from '../../workflows/shared/ids.ts';
import type { ValidationMark } from '../../workflows/tickets/rules/use.ts';

export interface ValidationDocument {
  /** UUID of the request: a repeat finds its validation. */
  readonly _id: string;
  /** Of the ticket. */
  readonly organisationId: OrganisationId;
  readonly groupId: TicketGroupId;
  readonly ticketDistributionId: TicketDistributionId;
  readonly validatedAt: Date;
  readonly legId?: string;
  readonly deviceId?: string;
  /** Whose inspector it was. */
  readonly inspectorOrganisationId: OrganisationId;
  readonly clientId: string;
  readonly correlationId: string;
  /** Empty: the ticket was valid. */
  readonly marks: readonly ValidationMark[];
  readonly recordedAt: Date;
  /** The ticket or its order do not know of it yet. */
  readonly untoldSince?: Date;
}

export type ValidationCollection = mongo.Collection<ValidationDocument>;

export const TICKET_VALIDATIONS = new CollectionDefinition<ValidationDocument>('ticket_validations', [
  { name: 'of_ticket', key: { ticketDistributionId: 1, validatedAt: 1 } },
  { name: 'untold', key: { untoldSince: 1 }, partialFilterExpression: { untoldSince: { $exists: true } } },
]);
