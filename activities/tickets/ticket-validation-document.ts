/** Uses of tickets that inspectors have reported. Callers: the stores of this folder. */
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

export const TICKET_VALIDATIONS = new CollectionDefinition<{ readonly _id: string }>('ticket_validations');
