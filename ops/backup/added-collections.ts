/** The collections that a restore adds to and does not count as content, from the manifests. Callers: the restore. */
import { AREAS } from '../../activities/areas.ts';
import { type Area, collectionsOf } from '../../platform/area.ts';

const areas: readonly Area[] = AREAS;
const ADDED = new Set(
  collectionsOf(areas).flatMap(({ definition, restored }) => (restored === 'ADDED' ? [definition.collection] : [])),
);

export function isAdded(collection: string): boolean {
  return ADDED.has(collection);
}
