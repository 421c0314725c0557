/** The delivery of one version of an order as it is stored. Callers: the stores of this folder. */
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

export const TICKET_DELIVERIES = new CollectionDefinition<{ readonly _id: string }>('ticket_deliveries');
