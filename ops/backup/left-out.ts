/** Finds what back-ups leave out, from the manifests. Caller: the copy of documents. */
import { AREAS } from '../../activities/areas.ts';
import { collectionsOf } from '../../platform/area.ts';
import { PLATFORM_COLLECTIONS } from '../../platform/mongo/platform-collections.ts';

const LEFT_OUT = new Map(
  [...collectionsOf(AREAS), ...PLATFORM_COLLECTIONS].map((entry) => [
    entry.definition.collection,
    entry.leftOutOfBackups ?? [],
  ]),
);

/** Returns `ALL`, or the members to leave out. A collection without a manifest is copied whole. */
export function leftOutOf(collection: string): 'ALL' | readonly string[] {
  return LEFT_OUT.get(collection) ?? [];
}
