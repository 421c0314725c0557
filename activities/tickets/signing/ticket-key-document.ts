/** Public halves of the keys that sign tickets. Callers: the worker that publishes them, the API that serves them. */
import { CollectionDefinition } from '../../../platform/mongo/collection.ts';

export const TICKET_KEYS = new CollectionDefinition<{ readonly _id: string }>('ticket_keys');
