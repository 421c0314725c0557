/** Collections that belong to no area. Callers: code that handles all collections. */
import type { CollectionEntry } from '../area.ts';
import { CollectionDefinition } from './collection.ts';

export const PLATFORM_COLLECTIONS: readonly CollectionEntry[] = [
  { definition: new CollectionDefinition('idempotency_keys'), personal: true },
];
