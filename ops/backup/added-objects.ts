/**
 * The objects that a restore adds to, never deletes and does not count as content, from the manifests. Callers: the
 * restore, and the account that it has in the object store.
 */
import { AREAS } from '../../activities/areas.ts';
import type { Area } from '../../platform/area.ts';

const areas: readonly Area[] = AREAS;

export const ADDED_PREFIXES: readonly string[] = areas.flatMap(({ objects = [] }) =>
  objects.flatMap(({ prefix, restored }) => (restored === 'ADDED' ? [prefix] : [])),
);

export function isAddedObject(key: string): boolean {
  return ADDED_PREFIXES.some((prefix) => key.startsWith(prefix));
}
