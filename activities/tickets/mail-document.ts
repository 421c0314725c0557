/** A mail with tickets as it is stored. Callers: the stores of this folder. */
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

export const TICKET_MAILS = new CollectionDefinition<{ readonly _id: string }>('ticket_mails');
