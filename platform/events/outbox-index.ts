/** The index of a collection whose documents have an `outbox`. Callers: the relay, the preparation of a database. */
import { CollectionDefinition } from '../mongo/collection.ts';

export const HAS_EVENTS = { 'outbox.0': { $exists: true } } as const;
export const OUTBOX_INDEX = 'outbox';

/**
 * A partial index of documents with events, so it is as small as the work to do. Throws RangeError for a name that is
 * not snake_case.
 */
export function outboxDefinition(collection: string) {
  return new CollectionDefinition(collection, [
    { name: OUTBOX_INDEX, key: { 'outbox.time': 1 }, partialFilterExpression: HAS_EVENTS },
  ]);
}
