/** Tickets that are no longer valid, for inspectors. Callers: the stores of this folder. */
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

export const TICKET_REVOCATIONS = new CollectionDefinition<{ readonly _id: string }>('ticket_revocations');
